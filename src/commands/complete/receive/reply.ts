// The reply to a conversation: its `_meta` (provider, model, tokens, cost), and the same as deltas.

import type { Delta } from '../../../lib/conversation/delta.ts';
import { writeUsage } from '../../../lib/conversation/meta.ts';
import type { Message, Part } from '../../../lib/conversation/types.ts';
import type { Format } from '../../../lib/dialects/types.ts';
import type { JsonObject } from '../../../lib/json/values.ts';
import { costOf } from '../../../lib/models/cost.ts';
import type { FailedModel } from '../select/selection.ts';
import type { Target } from '../select/target.ts';

export interface Reply {
  readonly message: Message;
  /** The dialect of the provider: an undecided stream takes it. */
  readonly format: Format;
}

/** Called with each piece of the answer as it arrives. */
export type OnDelta = (delta: Delta) => void;

/** A reply as it was received, before its `_meta` is added. */
export interface Received {
  readonly message: Message;
  readonly attempts: number;
  /** Undefined where the price is not known. */
  readonly usd: number | undefined;
  readonly cached: boolean;
}

type Source = Pick<Target, 'provider' | 'model' | 'price' | 'format'>;

/** USD; undefined where the price is not known, or the server did not count. */
export function costOfReply({ usage }: Message, { price }: Pick<Target, 'price'>, now: number): number | undefined {
  return usage && costOf(price, usage, now);
}

/** The received message with its `_meta`: the retries, the cache, and the models that failed before. */
export function addReplyMeta(received: Received, source: Source, failed: readonly FailedModel[]): Message {
  const { message, attempts, usd, cached } = received;
  return writeReplyMeta(message, source, usd, {
    ...(attempts > 1 && { attempts }),
    ...(cached && { cached: true }),
    ...(failed.length > 0 && { instead_of: failed.map((one) => ({ ...one })) }),
  });
}

/** The message with its provider, model, stop reason, tokens and cost in its `_meta`; and `more`. */
export function writeReplyMeta(
  reply: Message,
  source: Source,
  usd: number | undefined,
  more: JsonObject = {},
): Message {
  const { provider, model, price, format } = source;
  const by = { provider: provider.name, api: format.name, model: reply.by?.model ?? model };
  const cost =
    usd === undefined ? { usd: null, why: explainMissingPrice(reply, price) } : { usd: Number(usd.toPrecision(12)) };
  const meta: JsonObject = {
    ...by,
    ...(reply.id !== undefined && { id: reply.id }),
    ...(reply.stop && { stop: { ...reply.stop } }),
    ...(reply.usage && { usage: writeUsage(reply.usage) }),
    cost,
    ...more,
    ...reply.meta,
  };
  return { ...reply, by, meta };
}

function explainMissingPrice({ usage }: Message, price: Target['price']): string {
  if (usage === undefined) return 'the server reported no token usage';
  return price === undefined ? 'the price is unknown' : 'not all of its rates are known';
}

/** Passes a whole message on as the deltas that a stream would have sent. */
export function emitDeltas({ parts }: Message, onDelta: OnDelta | undefined): void {
  if (onDelta) for (const [index, part] of parts.entries()) onDelta(deltaOf(part, index));
}

function deltaOf(part: Part, index: number): Delta {
  const at = { type: 'delta', index } as const;
  if (part.type === 'text' && part.citations === undefined) return { ...at, text: part.text };
  if (part.type === 'refusal') return { ...at, refusal: part.text };
  if (part.type === 'reasoning' && part.redacted === undefined)
    return { ...at, reasoning: part.text ?? '', ...(part.signature !== undefined && { signature: part.signature }) };
  if (part.type === 'tool_call' && part.by === undefined) {
    const { id, name, input, text, custom } = part;
    if (custom) return { ...at, id, name, input: text ?? '' };
    return { ...at, id, name, arguments: text ?? JSON.stringify(input ?? {}) };
  }
  return { ...at, part };
}
