// Whole replies: stop reasons and usage. https://platform.claude.com/docs/en/api/messages/create#response

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Stop, StopReason, Usage } from '../../conversation/types.ts';
import { asArray, isObject, type JsonObject } from '../../json/values.ts';
import { ifNull, own, replyOf, residual } from '../codec/residual.ts';
import { readStop, stopForm, writeStop } from '../codec/stop-reasons.ts';
import { ANTHROPIC } from './name.ts';
import { readContent } from './read-blocks.ts';
import type { ApiStopReason, ReplyFields, UsageFields } from './types.ts';
import { optional, writeBlocks } from './write-blocks.ts';

const REPLY = replyOf(ANTHROPIC);

const REASONS: { readonly [reason in ApiStopReason]: StopReason } = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'context_window',
  refusal: 'content_filter',
  pause_turn: 'pause',
  compaction: 'compaction',
};

const RAW: { readonly [reason in StopReason]: ApiStopReason } = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  context_window: 'model_context_window_exceeded',
  content_filter: 'refusal',
  pause: 'pause_turn',
  compaction: 'compaction',
  error: 'end_turn',
  other: 'end_turn',
};

export function readReply(native: JsonObject): Message {
  const {
    type,
    id,
    role: _r,
    model,
    content,
    stop_reason,
    usage,
    _meta,
    ...more
  } = native as ReplyFields & { _meta?: unknown };
  const { stop_sequence, stop_details, container, context_management, diagnostics, input_transformations, ...rest } =
    more;
  const kept = { stop_sequence, stop_details, container, context_management, diagnostics, input_transformations };
  return {
    role: 'assistant',
    parts: readContent(asArray(content, 'content')),
    ...readMeta(_meta),
    id,
    by: { api: ANTHROPIC, model },
    stop: stopOf(stop_reason),
    usage: readUsage(usage),
    ext: residual(REPLY, rest, { type, stop_reason: ifNull(stop_reason), ...kept }),
    form: { [ANTHROPIC]: 'blocks', ...stopForm(ANTHROPIC, stop_reason) },
  };
}

/** The API always says why, whatever the content. */
const stopOf = (raw: unknown): Stop | undefined => readStop(raw, { parts: [] }, REASONS);

export function readUsage(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens, ...more } =
    native as UsageFields;
  const { output_tokens_details, cache_creation, server_tool_use, service_tier, inference_geo, speed, ...rest } = more;
  const { fallback_credit, iterations, ...unknown } = rest;
  const reasoning = output_tokens_details?.thinking_tokens;
  const nullable = {
    cache_read_input_tokens: ifNull(cache_read_input_tokens),
    cache_creation_input_tokens: ifNull(cache_creation_input_tokens),
  };
  const kept = {
    cache_creation,
    server_tool_use,
    service_tier,
    inference_geo,
    speed,
    fallback_credit,
    iterations,
    output_tokens_details,
  };
  return {
    input: input_tokens ?? undefined,
    output: output_tokens,
    cacheRead: cache_read_input_tokens ?? undefined,
    cacheWrite: cache_creation_input_tokens ?? undefined,
    reasoning,
    ext: residual(ANTHROPIC, unknown, { ...nullable, ...kept, input_tokens: ifNull(input_tokens) }),
  };
}

export function writeReply(message: Message, lose: Lose): JsonObject {
  const kept = own(message.ext, REPLY);
  return {
    ...(kept === undefined && { id: 'msg_0', model: 'unknown' }),
    stop_sequence: null,
    ...kept,
    type: 'message',
    role: 'assistant',
    ...optional({ id: message.id, model: message.by?.model }),
    content: writeBlocks(message.parts, lose).filter((block) => isAnswer(block, lose)),
    stop_reason: writeStop(message, ANTHROPIC, REASONS, RAW, stopOf) ?? null,
    ...usageOf(message, kept === undefined),
    ...writeMeta([{ ...message, id: undefined, by: undefined, stop: undefined, usage: undefined }]),
  };
}

/** Models of this API answer with no pictures and no files. */
function isAnswer({ type }: JsonObject, lose: Lose): boolean {
  if (type !== 'image' && type !== 'document') return true;
  lose(type, 'a reply of the API has none');
  return false;
}

/** The API always counts: what another one did not say is 0 here. */
function usageOf({ usage }: Message, foreign: boolean): JsonObject | undefined {
  if (!foreign) return usage && { usage: writeUsage(usage) };
  return { usage: { input_tokens: 0, output_tokens: 0, ...(usage && writeUsage(usage)) } };
}

function writeUsage(usage: Usage): JsonObject {
  const kept = own(usage.ext, ANTHROPIC);
  const details =
    usage.reasoning === undefined
      ? undefined
      : { ...(kept?.output_tokens_details as JsonObject), thinking_tokens: usage.reasoning };
  return {
    ...kept,
    ...optional({
      input_tokens: usage.input,
      cache_creation_input_tokens: usage.cacheWrite,
      cache_read_input_tokens: usage.cacheRead,
      output_tokens: usage.output,
      output_tokens_details: details,
    }),
  };
}
