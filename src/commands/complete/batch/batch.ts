// --batch: the lines of a dataset through a provider's batch API.
import type { Context } from '../../../lib/cli/filter.ts';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import { AttemptFailed } from '../../../lib/providers/errors.ts';
import { canBeAsked, gathered } from '../gathered.ts';
import { nothing } from '../input.ts';
import type { CompleteOptions } from '../options.ts';
import { open, type Ready } from '../run.ts';
import { fetched } from './fetch.ts';
import { openBatch } from './open.ts';
import { submitted } from './submit.ts';

/** A batch that was handed in, as `submit` writes it and the others read it. */
export interface BatchRecord extends JsonObject {
  readonly type: 'batch';
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly requests: number;
}

export async function* batch(
  records: AsyncIterable<Rec>,
  options: CompleteOptions,
  context: Context,
): AsyncGenerator<Rec> {
  const { batches, lines } = await sorted(records);
  if (batches.length + lines.length === 0) {
    if (options['allow-empty']) return;
    throw nothing();
  }
  const ready = await open(options, context);
  try {
    if (options.batch === 'submit') yield* submitted(lines, ready);
    else if (options.batch === 'fetch') yield* fetched(batches, lines, ready, context);
    else yield* statuses(batches, ready, context);
  } catch (error) {
    throw error instanceof AttemptFailed ? error.failure : error;
  }
}

async function sorted(records: AsyncIterable<Rec>): Promise<{ batches: BatchRecord[]; lines: Conversation[] }> {
  const batches: BatchRecord[] = [];
  const lines: Conversation[] = [];
  for await (const conversation of gathered(others(records, batches)))
    if (canBeAsked(conversation)) lines.push(conversation);
  return { batches, lines };
}

/** The records that are no batches; those are put aside. */
async function* others(records: AsyncIterable<Rec>, batches: BatchRecord[]): AsyncGenerator<Rec> {
  for await (const rec of records) {
    const { value } = rec;
    if (isObject(value) && value.type === 'batch' && typeof value.id === 'string') batches.push(value as BatchRecord);
    else yield rec;
  }
}

async function* statuses(batches: readonly BatchRecord[], ready: Ready, context: Context): AsyncGenerator<Rec> {
  for (const one of batches) {
    const { api, client } = await openBatch(one, ready);
    const { ended, ...status } = await api.status(client, one.id);
    if (!ended) context.exit(LATER);
    yield record({ ...one, ...status, ended });
  }
}

/** A loop of the shell can wait for status 0. */
const LATER = 75;
