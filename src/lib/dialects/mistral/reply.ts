// Whole replies: https://docs.mistral.ai/api/endpoint/chat

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, StopReason, Usage } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type JsonObject } from '../../json/values.ts';
import { optional } from '../codec/fields.ts';
import { ifNull, own, replyOf, residual } from '../codec/residual.ts';
import { readStop, stopForm, writeStop } from '../codec/stop-reasons.ts';
import { readMessage, writeMessages } from './message.ts';
import { MISTRAL } from './name.ts';
import type { ChoiceFields, CompletionFields, FinishReason } from './types.ts';
import { readUsage, writeUsage } from './usage.ts';

const REPLY = replyOf(MISTRAL);

const REASONS: { readonly [reason in FinishReason]: StopReason } = {
  stop: 'stop',
  length: 'length',
  model_length: 'context_window',
  tool_calls: 'tool_calls',
  error: 'error',
};

const RAW: { readonly [reason in StopReason]: FinishReason } = {
  stop: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  context_window: 'model_length',
  content_filter: 'stop',
  pause: 'stop',
  compaction: 'stop',
  error: 'error',
  other: 'stop',
};

/** The first choice is the reply; others stay in the residual. Throws a ShapeError. */
export function readReply(native: JsonObject): Message {
  const { id, object, created, model, choices, usage, _meta, ...rest } = native as CompletionFields;
  const [first, ...others] = asArray(choices, 'choices');
  const { index, message, messages, finish_reason, ...extra }: ChoiceFields = asObject(first, 'choices[0]');
  const read = readMessage({ role: 'assistant', ...asObject<JsonObject>(message, 'choices[0].message') });
  const choice = residual(MISTRAL, extra, { index, messages, finish_reason: ifNull(finish_reason) })?.[MISTRAL];
  const choicesLeft = choice || others.length > 0 ? [choice ?? {}, ...others] : undefined;
  const kept = { object, created, usage: isObject(usage) ? undefined : usage, choices: choicesLeft };
  return {
    ...read,
    ...readMeta(_meta),
    id,
    by: { api: MISTRAL, model },
    stop: readStop(finish_reason, read, REASONS),
    usage: readUsage(usage),
    form: { ...read.form, ...stopForm(MISTRAL, finish_reason) },
    ext: { ...read.ext, ...residual(REPLY, rest, kept) },
  };
}

export function writeReply(message: Message, lose: Lose): JsonObject {
  const replied = own(message.ext, REPLY);
  const made = replied === undefined ? { id: 'cmpl-0', created: 0, model: 'unknown' } : undefined;
  const { choices, ...kept } = replied ?? {};
  const [first, ...others] = (choices ?? []) as JsonObject[];
  const bare = { ...message, id: undefined, by: undefined, stop: undefined, usage: undefined, meta: undefined };
  const [written = { role: 'assistant', content: '' }] = writeMessages([bare], lose);
  return {
    object: 'chat.completion',
    ...made,
    ...kept,
    ...(made && message.at !== undefined && { created: Math.floor(message.at / 1000) }),
    ...optional({ id: message.id, model: message.by?.model }),
    choices: [
      {
        ...(first ?? { index: 0 }),
        message: written,
        finish_reason: writeStop(message, MISTRAL, REASONS, RAW) ?? null,
      },
      ...others,
    ],
    ...(message.usage && { usage: writeUsage(made ? counted(message.usage) : message.usage, lose) }),
    ...writeMeta([{ ...bare, meta: message.meta }]),
  };
}

/** The API always counts: what another one did not say is 0 here. */
const counted = (usage: Usage): Usage => ({ ...usage, input: usage.input ?? 0, output: usage.output ?? 0 });
