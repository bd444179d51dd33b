// Whole replies: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, StopReason, Usage } from '../../conversation/types.ts';
import { asObject, isObject, type JsonObject } from '../../json/values.ts';
import { optional } from '../codec/fields.ts';
import { own, replyOf, residual } from '../codec/residual.ts';
import { readStop, stopForm, writeStop } from '../codec/stop-reasons.ts';
import { readMessage, writeMessages } from './message.ts';
import { BEDROCK } from './name.ts';
import type { ApiStopReason, ReplyFields, UsageFields } from './types.ts';

const REPLY = replyOf(BEDROCK);

const REASONS: { readonly [reason in ApiStopReason]: StopReason } = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'context_window',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  malformed_tool_use: 'error',
  malformed_model_output: 'error',
};

const RAW: { readonly [reason in StopReason]: ApiStopReason } = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  context_window: 'model_context_window_exceeded',
  content_filter: 'content_filtered',
  pause: 'end_turn',
  compaction: 'end_turn',
  error: 'malformed_model_output',
  other: 'end_turn',
};

export function readReply(native: JsonObject): Message {
  const { output, stopReason, usage, metrics, trace, additionalModelResponseFields, _meta, ...more } =
    native as ReplyFields;
  const { performanceConfig, serviceTier, ...rest } = more;
  const { message, ...beside } = asObject<JsonObject>(output, 'output');
  const read = readMessage({ role: 'assistant', ...asObject<JsonObject>(message, 'output.message') });
  const reason = typeof stopReason === 'string' ? undefined : stopReason;
  const kept = { metrics, trace, additionalModelResponseFields, performanceConfig, serviceTier, stopReason: reason };
  const unread = {
    output: Object.keys(beside).length > 0 ? beside : undefined,
    usage: isObject(usage) ? undefined : usage,
  };
  return {
    ...read,
    ...readMeta(_meta),
    stop: readStop(stopReason, read, REASONS),
    usage: readUsage(usage),
    form: { ...read.form, ...stopForm(BEDROCK, stopReason) },
    ext: { ...read.ext, ...residual(REPLY, rest, { ...kept, ...unread }) },
  };
}

/** The input does not include the cache; the total does. */
function readUsage(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const { inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheWriteInputTokens, ...more } =
    native as UsageFields;
  const { cacheDetails, cacheReadInputTokenCount, cacheWriteInputTokenCount, serverToolUsage, ...rest } = more;
  const kept = { totalTokens, cacheDetails, cacheReadInputTokenCount, cacheWriteInputTokenCount, serverToolUsage };
  return {
    input: inputTokens,
    cacheRead: cacheReadInputTokens,
    cacheWrite: cacheWriteInputTokens,
    output: outputTokens,
    ext: residual(BEDROCK, rest, kept),
  };
}

export function writeReply(message: Message, lose: Lose): JsonObject {
  const { id, by, meta } = message;
  const { output, ...kept } = own(message.ext, REPLY) ?? {};
  const bare = { ...message, id: undefined, by: undefined, stop: undefined, usage: undefined, meta: undefined };
  const [written = { role: 'assistant', content: [] }] = writeMessages([bare], lose);
  return {
    output: { ...(output as JsonObject), message: written },
    ...kept,
    ...optional({ stopReason: writeStop(message, BEDROCK, REASONS, RAW) }),
    ...(message.usage && { usage: writeUsage(message.usage, lose) }),
    ...writeMeta([{ ...bare, id, by, meta }]),
  };
}

function writeUsage(usage: Usage, lose: Lose): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  const kept = own(usage.ext, BEDROCK);
  if (reasoning) lose('usage: reasoning', 'it is included in the output tokens');
  const total =
    input === undefined || output === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0) + output;
  return {
    ...kept,
    ...optional({
      inputTokens: input,
      outputTokens: output,
      totalTokens: kept?.totalTokens ?? total,
      cacheReadInputTokens: cacheRead,
      cacheWriteInputTokens: cacheWrite,
    }),
  };
}
