// --batch submit: submits the lines, one batch for each model, more where a batch would be too large.
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { describe, Losses } from '../../../lib/conversion/losses.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import type { BatchApi, BatchRequest } from '../../../lib/providers/batches/types.ts';
import { applyFlags } from '../prepare/flags.ts';
import { buildApiRequest } from '../request/build.ts';
import type { Run } from '../run.ts';
import { findModel, readModelNames } from '../select/model-name.ts';
import { resolveTarget, type Target } from '../select/target.ts';
import { batchApiOf, openClient, requestIds } from './open.ts';

interface Group {
  readonly target: Target;
  readonly requests: BatchRequest[];
}

export async function* submitBatches(lines: readonly Conversation[], run: Run): AsyncGenerator<Rec> {
  if (lines.length === 0) throw new Failure(EXIT.badInput, 'cannot submit a batch: the input has no conversations');
  for (const { target, requests } of (await groupByModel(lines, run)).values()) {
    const api = batchApiOf(target);
    const client = await openClient(target, run);
    for (const some of portions(requests, api)) {
      const id = await api.submit(client, some);
      const { provider, model } = target;
      yield record({ type: 'batch', id, provider: provider.name, model, requests: some.length });
    }
  }
}

async function groupByModel(lines: readonly Conversation[], run: Run): Promise<Map<string, Group>> {
  const found = new Map<string, Group>();
  const losses = new Losses();
  const ids = requestIds(lines);
  for (const [at, input] of lines.entries()) {
    const conversation = applyFlags(input, run.flags);
    const named = await findModel(readModelNames(conversation, run).first, run);
    const target = resolveTarget(named, conversation, run);
    const key = `${target.name} ${target.format.name}`;
    const group = found.get(key) ?? { target, requests: [] };
    found.set(key, group);
    const { body } = buildApiRequest(conversation, target, run, false, losses);
    group.requests.push({ id: ids[at] ?? '', body });
  }
  for (const loss of losses.real) run.note(describe(loss));
  return found;
}

/** As many as one batch may hold, by number and by size. */
function* portions(requests: readonly BatchRequest[], { most, sizeOf }: BatchApi): Generator<BatchRequest[]> {
  let some: BatchRequest[] = [];
  let bytes = 0;
  for (const request of requests) {
    const size = sizeOf(request);
    if (some.length > 0 && (some.length >= most.requests || bytes + size > most.bytes)) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(request);
    bytes += size;
  }
  if (some.length > 0) yield some;
}
