// Whole replies: https://docs.cohere.com/v2/reference/chat

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, StopReason, Usage } from '../../conversation/types.ts';
import { asObject, isObject, type JsonObject } from '../../json/values.ts';
import { optional } from '../codec/fields.ts';
import { own, replyOf, residual } from '../codec/residual.ts';
import { readStop, stopForm, writeStop } from '../codec/stop-reasons.ts';
import { readMessage, writeMessages } from './message.ts';
import { COHERE } from './name.ts';
import type { FinishReason, ReplyFields, TokenFields, UsageFields } from './types.ts';

const REPLY = replyOf(COHERE);

const REASONS: { readonly [reason in FinishReason]: StopReason } = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop_sequence',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR: 'error',
  TIMEOUT: 'error',
};

const RAW: { readonly [reason in StopReason]: FinishReason } = {
  stop: 'COMPLETE',
  stop_sequence: 'STOP_SEQUENCE',
  tool_calls: 'TOOL_CALL',
  length: 'MAX_TOKENS',
  context_window: 'MAX_TOKENS',
  content_filter: 'COMPLETE',
  pause: 'COMPLETE',
  compaction: 'COMPLETE',
  error: 'ERROR',
  other: 'COMPLETE',
};

export function readReply(native: JsonObject): Message {
  const { id, finish_reason, message, usage, logprobs, _meta, ...rest } = native as ReplyFields;
  const read = readMessage({ role: 'assistant', ...asObject<JsonObject>(message, 'message') });
  const reason = typeof finish_reason === 'string' ? undefined : finish_reason;
  const kept = { logprobs, finish_reason: reason, usage: isObject(usage) ? undefined : usage };
  return {
    ...read,
    ...readMeta(_meta),
    id,
    stop: readStop(finish_reason, read, REASONS),
    usage: readUsage(usage),
    form: { ...read.form, ...stopForm(COHERE, finish_reason) },
    ext: { ...read.ext, ...residual(REPLY, rest, kept) },
  };
}

/** The tokens that the model saw and wrote; what is billed is less, and stays in the residual. The cache is part of the input. */
function readUsage(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const { tokens, billed_units, cached_tokens, ...rest } = native as UsageFields;
  const counted = isObject(tokens) ? tokens : billed_units;
  const { input_tokens, output_tokens, search_units, classifications, ...more } = (counted ?? {}) as TokenFields;
  const cacheRead = typeof cached_tokens === 'number' ? cached_tokens : undefined;
  const inner = residual(COHERE, more, { search_units, classifications })?.[COHERE];
  const nulls = { cached_tokens: cacheRead === undefined ? cached_tokens : undefined };
  const kept = counted === tokens ? { tokens: inner, billed_units } : { tokens, billed_units: inner };
  return {
    input: input_tokens === undefined ? undefined : Math.max(0, input_tokens - (cacheRead ?? 0)),
    cacheRead,
    output: output_tokens,
    ext: residual(COHERE, rest, { ...kept, ...nulls, ...(counted !== tokens && { counted: 'billed_units' }) }),
  };
}

export function writeReply(message: Message, lose: Lose): JsonObject {
  const { id, by, usage, meta } = message;
  const bare = { ...message, id: undefined, by: undefined, stop: undefined, usage: undefined, meta: undefined };
  const [written = { role: 'assistant', content: [] }] = writeMessages([bare], lose);
  return {
    ...own(message.ext, REPLY),
    ...optional({ id }),
    message: listed(written),
    finish_reason: finishReason(message, lose),
    ...(usage && { usage: writeUsage(usage, lose) }),
    ...writeMeta([{ ...bare, by: by?.model === undefined && by?.provider === undefined ? undefined : by, meta }]),
  };
}

/** In a reply, content is always a list. */
function listed(message: JsonObject): JsonObject {
  const { content } = message;
  return typeof content === 'string'
    ? { ...message, content: content === '' ? [] : [{ type: 'text', text: content }] }
    : message;
}

function finishReason(message: Message, lose: Lose): string {
  if (message.stop === undefined) lose('finish_reason', 'the API always reports one', 'added');
  return writeStop(message, COHERE, REASONS, RAW) ?? RAW.stop;
}

function writeUsage(usage: Usage, lose: Lose): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  const { counted = 'tokens', ...kept } = own(usage.ext, COHERE) ?? {};
  if (reasoning) lose('usage: reasoning', 'it is included in the output tokens');
  if (cacheWrite) lose('usage: cache write', 'it is included in the input tokens');
  const where = String(counted);
  const tokens = optional({
    input_tokens: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output_tokens: output,
  });
  return {
    ...kept,
    ...((tokens || kept[where]) && { [where]: { ...(kept[where] as JsonObject), ...tokens } }),
    ...optional({ cached_tokens: cacheRead }),
  };
}
