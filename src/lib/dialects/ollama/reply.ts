// Whole replies: https://docs.ollama.com/api/chat

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, StopReason, Usage } from '../../conversation/types.ts';
import { asObject, type JsonObject } from '../../json/values.ts';
import { optional } from '../codec/fields.ts';
import { own, replyOf, residual } from '../codec/residual.ts';
import { readStop, stopForm, writeStop } from '../codec/stop-reasons.ts';
import { isoTime } from '../codec/timestamps.ts';
import { readMessage, writeMessages } from './message.ts';
import { OLLAMA } from './name.ts';
import type { ReplyFields } from './types.ts';

const REPLY = replyOf(OLLAMA);

const REASONS: { readonly [word: string]: StopReason } = { stop: 'stop', length: 'length' };

/** Calls end with "stop" as well. */
const RAW: { readonly [reason in StopReason]: string } = {
  stop: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'stop',
  length: 'length',
  context_window: 'length',
  content_filter: 'stop',
  pause: 'stop',
  compaction: 'stop',
  error: 'stop',
  other: 'stop',
};

export function readReply(native: JsonObject): Message {
  const { model, created_at, message, done, done_reason, _meta, ...more } = native as ReplyFields;
  const { prompt_eval_count, eval_count, total_duration, load_duration, ...others } = more;
  const { prompt_eval_duration, eval_duration, logprobs, ...rest } = others;
  const read = readMessage({ role: 'assistant', ...asObject<JsonObject>(message, 'message') });
  const durations = { total_duration, load_duration, prompt_eval_duration, eval_duration };
  const reason = typeof done_reason === 'string' ? undefined : done_reason;
  return {
    ...read,
    ...readMeta(_meta),
    by: { api: OLLAMA, model },
    stop: readStop(done_reason, read, REASONS),
    usage: readUsage(prompt_eval_count, eval_count),
    ...(isoTime(created_at) !== undefined && { at: Date.parse(String(created_at)) }),
    ext: {
      ...read.ext,
      ...residual(REPLY, rest, { created_at, done, done_reason: reason, ...durations, logprobs }),
    },
    // A reply of another format is done as well.
    form: { ...read.form, [REPLY]: done === undefined ? 'absent' : 'done', ...stopForm(OLLAMA, done_reason) },
  };
}

function readUsage(input: number | undefined, output: number | undefined): Usage | undefined {
  return input === undefined && output === undefined ? undefined : { input, output };
}

export function writeReply(message: Message, lose: Lose): JsonObject {
  const { id, by, usage, meta } = message;
  const made = own(message.ext, REPLY) ? undefined : isoTime(message.at);
  const bare = { ...message, id: undefined, by: undefined, stop: undefined, usage: undefined, meta: undefined };
  const [written = { role: 'assistant', content: '' }] = writeMessages([bare], lose);
  const { input, cacheRead, cacheWrite, output, reasoning } = usage ?? {};
  if (cacheRead || cacheWrite) lose('usage: cache', 'it is included in the prompt tokens');
  if (reasoning) lose('usage: reasoning', 'it is included in the output tokens');
  return {
    ...optional({ model: by?.model }),
    ...(message.form?.[REPLY] === 'absent' ? {} : { done: true }),
    ...(made === undefined ? undefined : { created_at: made }),
    ...own(message.ext, REPLY),
    message: written,
    ...optional({
      done_reason: writeStop(message, OLLAMA, REASONS, RAW),
      prompt_eval_count: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
      eval_count: output,
    }),
    ...writeMeta([{ ...bare, id, meta }]),
  };
}
