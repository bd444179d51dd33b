// Whole replies: https://ai.google.dev/api/generate-content#generatecontentresponse

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Part, Stop, StopReason } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { own, replyOf, residual } from '../codec/residual.ts';
import { stopForm, writeStop } from '../codec/stop-reasons.ts';
import { GEMINI } from './name.ts';
import { readMessage } from './read-content.ts';
import { fromCamel, toCamel } from './spelling.ts';
import type { CandidateFields, FinishReason, ReplyFields } from './types.ts';
import { readUsage, writeUsage } from './usage.ts';
import { writeMessages, writeOwn } from './write-content.ts';

const REPLY = replyOf(GEMINI);

const REASONS: { readonly [reason in FinishReason]: StopReason } = {
  FINISH_REASON_UNSPECIFIED: 'other',
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
  LANGUAGE: 'other',
  OTHER: 'other',
  NO_IMAGE: 'other',
  IMAGE_OTHER: 'other',
  MALFORMED_FUNCTION_CALL: 'error',
  MALFORMED_RESPONSE: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  CONTINUATION: 'pause',
};

const RAW: { readonly [reason in StopReason]: FinishReason } = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  context_window: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  pause: 'OTHER',
  compaction: 'OTHER',
  error: 'OTHER',
  other: 'OTHER',
};

/** The first candidate is the reply; others stay in the residual, and so does a prompt that was blocked. */
export function readReply(native: JsonObject): Message {
  const { value, names } = toCamel(native);
  const { candidates, usageMetadata, modelVersion, responseId, _meta, ...more } = value as ReplyFields;
  const { createTime, promptFeedback, modelStatus, ...rest } = more;
  const [first, ...others] = candidates === undefined ? [] : asArray(candidates, 'candidates');
  const { content, finishReason, ...about }: CandidateFields =
    first === undefined ? {} : asObject(first, 'candidates[0]');
  // The content is read in its own spelling.
  const spelled = isObject(content) ? contentOf(native) : undefined;
  const read: Message = spelled ? readMessage(spelled) : { role: 'assistant', parts: [] };
  const candidate = {
    ...(about as JsonObject),
    ...(!spelled && content !== undefined && { content: content as Json }),
  };
  const list = first === undefined ? candidates : [candidate, ...others];
  const kept = { createTime, promptFeedback, modelStatus, candidates: list };
  const at = typeof createTime === 'string' ? Date.parse(createTime) : Number.NaN;
  return {
    ...read,
    role: 'assistant',
    ...readMeta(_meta),
    id: responseId,
    by: { api: GEMINI, model: modelVersion },
    stop: stopOf(finishReason, promptFeedback, read.parts),
    usage: readUsage(usageMetadata),
    ...(Number.isFinite(at) && { at }),
    form: {
      [GEMINI]: read.form?.[GEMINI] ?? ABSENT,
      [REPLY]: JSON.stringify(names),
      ...stopForm(GEMINI, finishReason),
    },
    ext: {
      ...read.ext,
      ...residual(REPLY, rest, { ...kept, usageMetadata: isObject(usageMetadata) ? undefined : usageMetadata }),
    },
  };
}

/** A candidate without a content. */
const ABSENT = '- absent';

function contentOf({ candidates }: JsonObject): JsonObject | undefined {
  const [first] = candidates as JsonObject[];
  return isObject(first?.content) ? first.content : undefined;
}

/** The API says STOP where it made a call: the content decides. A prompt that is blocked has no candidates. */
function stopOf(raw: unknown, feedback: unknown, parts: readonly Part[]): Stop | undefined {
  if (typeof raw !== 'string') {
    const blocked = isObject(feedback) && typeof feedback.blockReason === 'string' ? feedback.blockReason : undefined;
    return blocked === undefined ? undefined : { reason: 'content_filter', raw: blocked };
  }
  const calls = parts.some((part) => part.type === 'tool_call' && part.by !== 'provider');
  const reason = lookup<StopReason>(REASONS, raw) ?? 'other';
  return { reason: calls && reason === 'stop' ? 'tool_calls' : reason, raw };
}

export function writeReply(message: Message, lose: Lose): JsonObject {
  const kept = own(message.ext, REPLY);
  const { candidates, ...others } = kept ?? {};
  const [first, ...more] = (candidates ?? []) as JsonObject[];
  const content = writeContent(message, lose);
  const reason = finishReasonOf(message);
  const candidate = {
    ...(kept ? {} : { index: 0 }),
    ...first,
    ...(content && { content }),
    ...(reason && { finishReason: reason }),
  };
  const native = {
    ...others,
    ...(first === undefined && kept
      ? candidates !== undefined && { candidates }
      : { candidates: [candidate, ...more] }),
    ...(message.usage && { usageMetadata: writeUsage(message.usage, lose) }),
    ...(message.by?.model !== undefined && { modelVersion: message.by.model }),
    ...(message.id !== undefined && { responseId: message.id }),
    ...writeMeta([{ role: 'assistant', parts: [], meta: message.meta }]),
  };
  return fromCamel(native, JSON.parse(message.form?.[REPLY] ?? '[]') as string[]);
}

function writeContent(message: Message, lose: Lose): JsonObject | undefined {
  const form = message.form?.[GEMINI];
  if (form === ABSENT && message.parts.length === 0) return undefined;
  const bare: Message = { role: 'assistant', parts: message.parts };
  if (form === undefined || form === ABSENT) return writeMessages([bare], lose)[0] ?? { role: 'model', parts: [] };
  return writeOwn({ ...bare, form: message.form, ext: message.ext }, lose, message.id);
}

/** A prompt that was blocked has no candidate to say it. */
function finishReasonOf(message: Message): string | undefined {
  const { stop, parts, ext } = message;
  if (own(ext, REPLY)?.promptFeedback !== undefined && stop?.reason === 'content_filter' && parts.length === 0)
    return undefined;
  return writeStop(message, GEMINI, REASONS, RAW, (raw) => stopOf(raw, undefined, parts));
}
