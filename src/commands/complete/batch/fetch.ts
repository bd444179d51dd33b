// --batch fetch: the answers of batches, each on its line.
import type { Context } from '../../../lib/cli/filter.ts';
import type { Message } from '../../../lib/conversation/types.ts';
import { type Conversation, emit } from '../../../lib/conversion/gather.ts';
import { EXIT } from '../../../lib/failure/failure.ts';
import { type Rec, record } from '../../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import type { BatchResult } from '../../../lib/providers/batches/types.ts';
import { AttemptFailed } from '../../../lib/providers/errors.ts';
import { readWhole } from '../../../lib/providers/exchange.ts';
import type { Reply } from '../answer.ts';
import type { Gate } from '../gate.ts';
import { made, priceOf } from '../made.ts';
import { withAnswer, written } from '../reply.ts';
import type { Ready } from '../run.ts';
import type { BatchRecord } from './batch.ts';
import { idsOf } from './ids.ts';
import { type OpenBatch, openBatch } from './open.ts';

/** All vendors take half. */
const SHARE = 0.5;

type Outcome = { readonly reply: Reply } | { readonly error: string };

/** Lines with their answers, in the order of the lines; without lines, one for each result. What has no answer yet is exit 75. */
export async function* fetched(
  batches: readonly BatchRecord[],
  lines: readonly Conversation[],
  ready: Ready,
  context: Context,
): AsyncGenerator<Rec> {
  const outcomes = new Map<string, Outcome>();
  for (const one of batches) await collect(one, outcomes, ready, context);
  if (lines.length === 0) {
    for (const [id, outcome] of outcomes) yield record(alone(id, outcome, ready, context));
    return;
  }
  for (const [at, id] of idsOf(lines).entries()) {
    const line = lines[at] as Conversation;
    const outcome = outcomes.get(id);
    if (outcome && 'reply' in outcome) yield* emit(withAnswer(line, outcome.reply, ready.session), line);
    else if (outcome) yield failed(line, outcome.error, context);
    else context.exit(EXIT.later);
  }
}

async function collect(
  one: BatchRecord,
  outcomes: Map<string, Outcome>,
  ready: Ready,
  context: Context,
): Promise<void> {
  const opened = await openBatch(one, ready);
  const { state, ended, done, total } = await opened.api.status(opened.client, one.id);
  if (!ended) {
    context.exit(EXIT.later);
    ready.session.note(`the batch ${one.id} is not ready: ${state}, ${done} of ${total} requests answered`);
    return;
  }
  const replies: Message[] = [];
  for await (const result of opened.api.results(opened.client, one.id)) {
    const outcome = read(result, opened, one.id, ready);
    outcomes.set(result.id, outcome);
    if ('reply' in outcome) replies.push(outcome.reply.message);
  }
  enter(one, replies, await ready.session.gate());
}

/** All of a batch at once, and once however often it is fetched. */
function enter({ id, provider, model }: BatchRecord, replies: readonly Message[], { state, project }: Gate): void {
  state?.store.transact(() => {
    if (!state.first(`batch ${id}`)) return;
    for (const { usage = {}, meta } of replies) {
      const usd = isObject(meta?.cost) && typeof meta.cost.usd === 'number' ? meta.cost.usd : undefined;
      state.enter({ provider, model, project }, usage, usd);
    }
  });
}

function read({ reply, error }: BatchResult, { target }: OpenBatch, id: string, { session }: Ready): Outcome {
  const reading = {
    provider: target.provider.name,
    format: target.format,
    api: target.api,
    now: session.now,
    mask: (text: string) => text,
  };
  try {
    const message = readWhole(JSON.stringify(reply ?? error), reading);
    const usd = priceOf(message, target, session.now());
    const price = usd === undefined ? undefined : usd * SHARE;
    return { reply: { message: made(message, target, price, { batch: id }), format: target.format } };
  } catch (thrown) {
    if (thrown instanceof AttemptFailed) return { error: thrown.message };
    throw thrown;
  }
}

function failed(line: Conversation, message: string, context: Context): Rec {
  context.exit(EXIT.later);
  const value: JsonObject = isObject(line.rolled?.value) ? line.rolled.value : {};
  const meta = isObject(value._meta) ? value._meta : {};
  return record({ ...value, _meta: { ...meta, error: { message } } }, line.rolled);
}

function alone(id: string, outcome: Outcome, { session }: Ready, context: Context): JsonObject {
  if ('error' in outcome) {
    context.exit(EXIT.later);
    return { custom_id: id, messages: [], _meta: { error: { message: outcome.error } } };
  }
  const { format } = outcome.reply;
  const nothing = { format, decided: true, items: [] };
  return { custom_id: id, [format.messagesKey]: written(nothing, outcome.reply, session) };
}
