// Whole replies: https://platform.openai.com/docs/api-reference/chat/object

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Stop, StopReason, Usage } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type JsonObject } from '../../json/values.ts';
import { ifNull, own, replyOf, residual } from '../codec/residual.ts';
import { readStop, stopForm, writeStop } from '../codec/stop-reasons.ts';
import { OPENAI } from './name.ts';
import { readMessage } from './read-message.ts';
import type { ChoiceFields, CompletionFields, FinishReason, UsageFields } from './types.ts';
import { writeAssistant } from './write-assistant.ts';

const REPLY = replyOf(OPENAI);

const REASONS: { readonly [reason in FinishReason]: StopReason } = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

const RAW: { readonly [reason in StopReason]: FinishReason } = {
  stop: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  context_window: 'length',
  content_filter: 'content_filter',
  pause: 'stop',
  compaction: 'stop',
  error: 'stop',
  other: 'stop',
};

/** The first choice is the reply; others stay in the residual. The message's own fields come back under `choices[0]`. */
export function readReply(native: JsonObject): Message {
  const { id, object, created, model, choices, usage, _meta, ...more } = native as CompletionFields;
  const { service_tier, system_fingerprint, metadata, moderation, ...rest } = more;
  const [first, ...others] = asArray(choices, 'choices');
  const { index, message, finish_reason, logprobs, ...extra }: ChoiceFields = asObject(first, 'choices[0]');
  const read = readMessage({ role: 'assistant', ...asObject<JsonObject>(message, 'choices[0].message') });
  const choice = residual(OPENAI, extra, {
    index,
    logprobs,
    finish_reason: ifNull(finish_reason),
  })?.[OPENAI];
  const at = Number.isInteger(created) ? { at: (created as number) * 1000 } : undefined;
  const kept = { object, created: at ? undefined : created, service_tier, system_fingerprint, metadata, moderation };
  const choicesLeft = choice || others.length > 0 ? [choice ?? {}, ...others] : undefined;
  return {
    ...read,
    ...readMeta(_meta),
    id,
    by: { api: OPENAI, model },
    stop: stopOf(finish_reason, read),
    usage: readUsage(usage),
    ...at,
    form: { ...read.form, ...stopForm(OPENAI, finish_reason) },
    ext: {
      ...read.ext,
      ...residual(REPLY, rest, { ...kept, usage: isObject(usage) ? undefined : usage, choices: choicesLeft }),
    },
  };
}

/** Many servers say "stop" where they made a call: the content decides. Some say nothing. */
const stopOf = (raw: unknown, message: Pick<Message, 'parts'>): Stop | undefined =>
  readStop(raw, message, raw === '' ? { '': 'stop' } : REASONS);

function readUsage(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens, ...details } = native as UsageFields;
  const { prompt_tokens_details, completion_tokens_details, ...rest } = details;
  const cacheRead = prompt_tokens_details?.cached_tokens;
  // LiteLLM's name for it comes from elsewhere.
  const { cache_creation_tokens } = (prompt_tokens_details ?? {}) as { cache_creation_tokens?: number };
  const cacheWrite = prompt_tokens_details?.cache_write_tokens ?? cache_creation_tokens;
  return {
    input: prompt_tokens === undefined ? undefined : Math.max(0, prompt_tokens - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: completion_tokens,
    reasoning: completion_tokens_details?.reasoning_tokens,
    ext: residual(OPENAI, rest, { total_tokens, prompt_tokens_details, completion_tokens_details }),
  };
}

export function writeReply(message: Message, lose: Lose): JsonObject {
  const { choices, ...kept } = own(message.ext, REPLY) ?? {};
  const made = own(message.ext, REPLY) ? undefined : { created: 0, model: 'unknown', id: 'chatcmpl-0' };
  const [first, ...others] = (choices ?? []) as JsonObject[];
  const bare = { ...message, id: undefined, by: undefined, stop: undefined, usage: undefined, meta: undefined };
  const written = withText(writeAssistant([bare], lose), bare);
  return {
    object: 'chat.completion',
    ...made,
    ...kept,
    ...(message.at !== undefined && { created: Math.floor(message.at / 1000) }),
    ...(message.id !== undefined && { id: message.id }),
    ...(message.by?.model !== undefined && { model: message.by.model }),
    choices: [
      { ...(first ?? { index: 0 }), message: written, finish_reason: finishReason(message) ?? (made ? 'stop' : null) },
      ...others,
    ],
    ...(message.usage && { usage: writeUsage(made ? counted(message.usage) : message.usage) }),
    ...writeMeta([{ ...bare, meta: message.meta }]),
  };
}

const finishReason = (message: Message): string | undefined =>
  writeStop(message, OPENAI, REASONS, RAW, (raw) => stopOf(raw, message));

/** The content of a reply is one text: one that other dialects give in pieces is put together. */
function withText(native: JsonObject, { form }: Message): JsonObject {
  if (form?.[OPENAI] !== undefined || !Array.isArray(native.content)) return native;
  const texts = native.content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''));
  return { ...native, content: texts.join('') };
}

/** The API always counts: what another one did not say is 0 here. */
const counted = (usage: Usage): Usage => ({ ...usage, input: usage.input ?? 0, output: usage.output ?? 0 });

function writeUsage(usage: Usage): JsonObject {
  const kept = own(usage.ext, OPENAI);
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  const prompt = input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const told = kept?.prompt_tokens_details as JsonObject | undefined;
  const cached = {
    ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
    ...(cacheWrite !== undefined && cacheWrite !== told?.cache_creation_tokens && { cache_write_tokens: cacheWrite }),
  };
  const details =
    Object.keys(cached).length > 0
      ? { prompt_tokens_details: { ...(kept?.prompt_tokens_details as JsonObject), ...cached } }
      : {};
  const thought =
    reasoning === undefined
      ? {}
      : {
          completion_tokens_details: {
            ...(kept?.completion_tokens_details as JsonObject),
            reasoning_tokens: reasoning,
          },
        };
  return {
    ...kept,
    ...(prompt !== undefined && { prompt_tokens: prompt }),
    ...(output !== undefined && { completion_tokens: output }),
    ...(kept?.total_tokens === undefined &&
      prompt !== undefined &&
      output !== undefined && { total_tokens: prompt + output }),
    ...details,
    ...thought,
  };
}
