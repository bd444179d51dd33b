// --batch: answers a dataset through a provider's batch API.
import type { Context } from '../../../lib/cli/filter.ts';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { EXIT } from '../../../lib/failure/failure.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import { isObject } from '../../../lib/json/values.ts';
import { AttemptFailed } from '../../../lib/providers/errors.ts';
import { emptyInput } from '../input.ts';
import type { CompleteOptions } from '../options.ts';
import { hasContent, readConversations } from '../prepare/conversations.ts';
import { openRun, type Run } from '../run.ts';
import { fetchBatches } from './fetch.ts';
import { type BatchRecord, openBatch } from './open.ts';
import { submitBatches } from './submit.ts';

/** One step of a batch, as --batch names it. */
export async function* runBatchStep(
  records: AsyncIterable<Rec>,
  options: CompleteOptions,
  context: Context,
): AsyncGenerator<Rec> {
  const { batches, lines } = await readInput(records);
  if (batches.length + lines.length === 0) {
    if (options['allow-empty']) return;
    throw emptyInput();
  }
  const run = await openRun(options, context);
  try {
    if (options.batch === 'submit') yield* submitBatches(lines, run);
    else if (options.batch === 'fetch') yield* fetchBatches(batches, lines, run);
    else yield* readStatuses(batches, run);
  } catch (error) {
    throw error instanceof AttemptFailed ? error.failure : error;
  }
}

async function readInput(records: AsyncIterable<Rec>): Promise<{ batches: BatchRecord[]; lines: Conversation[] }> {
  const batches: BatchRecord[] = [];
  const lines: Conversation[] = [];
  for await (const conversation of readConversations(withoutBatches(records, batches)))
    if (hasContent(conversation)) lines.push(conversation);
  return { batches, lines };
}

/** The other records; those of batches are added to `batches`. */
async function* withoutBatches(records: AsyncIterable<Rec>, batches: BatchRecord[]): AsyncGenerator<Rec> {
  for await (const rec of records) {
    const { value } = rec;
    if (isObject(value) && value.type === 'batch' && typeof value.id === 'string') batches.push(value as BatchRecord);
    else yield rec;
  }
}

/** The status of each batch; the exit status is 75 until all have ended, so that a shell loop can wait for 0. */
async function* readStatuses(batches: readonly BatchRecord[], run: Run): AsyncGenerator<Rec> {
  for (const one of batches) {
    const { api, client } = await openBatch(one, run);
    const { ended, ...status } = await api.status(client, one.id);
    if (!ended) run.context.exit(EXIT.later);
    yield record({ ...one, ...status, ended });
  }
}
