// --batch fetch: the answers of batches, each on its line.
import type { Message } from '../../../lib/conversation/types.ts';
import { type Conversation, emit } from '../../../lib/conversion/gather.ts';
import { EXIT } from '../../../lib/failure/failure.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import type { BatchResult } from '../../../lib/providers/batches/types.ts';
import { AttemptFailed } from '../../../lib/providers/errors.ts';
import { readWhole } from '../../../lib/providers/exchange.ts';
import { addLineError } from '../dataset/dataset.ts';
import { costOfReply, type Reply, writeReplyMeta } from '../receive/reply.ts';
import type { Gate } from '../request/gate.ts';
import type { Run } from '../run.ts';
import { appendReply, replyRecords } from '../write/records.ts';
import { type BatchRecord, type OpenBatch, openBatch, requestIds } from './open.ts';

/** The share of the usual price: all vendors charge half. */
const PRICE_SHARE = 0.5;

type Outcome = { readonly reply: Reply } | { readonly error: string };

/** The lines with their answers, in order; without lines, one record for each result. The exit status is 75 where answers are missing. */
export async function* fetchBatches(
  batches: readonly BatchRecord[],
  lines: readonly Conversation[],
  run: Run,
): AsyncGenerator<Rec> {
  const outcomes = new Map<string, Outcome>();
  for (const one of batches) await collect(one, outcomes, run);
  if (lines.length === 0) {
    for (const [id, outcome] of outcomes) yield record(resultRecord(id, outcome, run));
    return;
  }
  for (const [at, id] of requestIds(lines).entries()) {
    const line = lines[at] as Conversation;
    const outcome = outcomes.get(id);
    if (outcome && 'reply' in outcome) yield* emit(appendReply(line, outcome.reply, run), line);
    else {
      run.context.exit(EXIT.later);
      if (outcome) yield addLineError(line.rolled, { message: outcome.error });
    }
  }
}

async function collect(one: BatchRecord, outcomes: Map<string, Outcome>, run: Run): Promise<void> {
  const opened = await openBatch(one, run);
  const { state, ended, done, total } = await opened.api.status(opened.client, one.id);
  if (!ended) {
    run.context.exit(EXIT.later);
    run.note(`the batch ${one.id} is not ready: ${state}, ${done} of ${total} requests answered`);
    return;
  }
  const replies: Message[] = [];
  for await (const result of opened.api.results(opened.client, one.id)) {
    const outcome = readResult(result, opened, one.id, run);
    outcomes.set(result.id, outcome);
    if ('reply' in outcome) replies.push(outcome.reply.message);
  }
  enterCosts(one, replies, await run.gate());
}

/** Enters a batch in the ledger in one transaction, and only the first time that it is fetched. */
function enterCosts({ id, provider, model }: BatchRecord, replies: readonly Message[], { state, project }: Gate): void {
  state?.store.transact(() => {
    if (!state.first(`batch ${id}`)) return;
    for (const { usage = {}, meta } of replies) {
      const usd = isObject(meta?.cost) && typeof meta.cost.usd === 'number' ? meta.cost.usd : undefined;
      state.enter({ provider, model, project }, usage, usd);
    }
  });
}

function readResult({ reply, error }: BatchResult, { target }: OpenBatch, id: string, { now }: Run): Outcome {
  const reading = {
    provider: target.provider.name,
    format: target.format,
    endpoint: target.endpoint,
    now,
    mask: (text: string) => text,
  };
  try {
    const message = readWhole(JSON.stringify(reply ?? error), reading);
    const usd = costOfReply(message, target, now());
    const price = usd === undefined ? undefined : usd * PRICE_SHARE;
    return { reply: { message: writeReplyMeta(message, target, price, { batch: id }), format: target.format } };
  } catch (thrown) {
    if (thrown instanceof AttemptFailed) return { error: thrown.message };
    throw thrown;
  }
}

/** A result without its line. */
function resultRecord(id: string, outcome: Outcome, run: Run): JsonObject {
  if ('error' in outcome) {
    run.context.exit(EXIT.later);
    return { custom_id: id, messages: [], _meta: { error: { message: outcome.error } } };
  }
  const { format } = outcome.reply;
  const nothing = { format, decided: true, items: [] };
  return { custom_id: id, [format.messagesKey]: replyRecords(nothing, outcome.reply, run) };
}
