// Messages: a role and parts, and for those of a model the reason why it ended.

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Role, StopReason } from '../../conversation/types.ts';
import { asArray, asString, type Json, type JsonObject, ShapeError } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { OTEL } from './name.ts';
import { readPart, writePart } from './parts.ts';

const ROLES: { readonly [role: string]: Role } = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
};

/** The conventions' words, and ours. */
const REASONS: { readonly [raw: string]: StopReason } = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  tool_call: 'tool_calls',
  error: 'error',
};

const RAW: { readonly [reason in StopReason]: string } = {
  stop: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool_call',
  length: 'length',
  context_window: 'length',
  content_filter: 'content_filter',
  pause: 'stop',
  compaction: 'stop',
  error: 'error',
  other: 'stop',
};

export function readMessage(native: JsonObject): Message {
  const { role, parts, name, finish_reason, _meta, ...others } = native;
  const known = lookup(ROLES, role);
  if (known === undefined) throw new ShapeError('role', 'system, user, assistant or tool', role);
  const rest: Record<never, never> = others;
  const stop =
    typeof finish_reason === 'string'
      ? { reason: lookup(REASONS, finish_reason) ?? ('other' as const), raw: finish_reason }
      : undefined;
  return {
    role: known,
    parts: asArray(parts, 'parts').map(readPart),
    ...readMeta(_meta),
    ...(name !== undefined && name !== null && { name: asString(name, 'name') }),
    ...(stop && { stop }),
    form: { [OTEL]: stop ? 'finished' : 'message' },
    ext: residual(OTEL, rest, {
      name: name === null ? null : undefined,
      finish_reason: stop === undefined ? finish_reason : undefined,
    }),
  };
}

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  return group.map((message) => writeMessage(message, lose));
}

/** Why a reply ended stands beside it where it did; else under `_meta`, since it belongs to outputs only. */
function writeMessage(message: Message, lose: Lose): JsonObject {
  const { role, parts, name, stop, form } = message;
  const finished = form?.[OTEL] === 'finished' && stop !== undefined;
  const left = finished ? { ...message, stop: undefined } : message;
  return {
    role,
    parts: parts.flatMap((part) => writePart(part, lose)),
    ...(name !== undefined && { name }),
    ...(finished && { finish_reason: finishReason(stop) }),
    ...own(message.ext, OTEL),
    ...writeMeta([left]),
  };
}

function finishReason({ reason, raw }: NonNullable<Message['stop']>): string {
  return typeof raw === 'string' && (lookup(REASONS, raw) ?? 'other') === reason ? raw : RAW[reason];
}

/** A reply is an output message. */
export function writeReply(message: Message, lose: Lose): JsonObject {
  const stop = message.stop ?? { reason: 'stop' as const };
  return writeMessage({ ...message, stop, form: { ...message.form, [OTEL]: 'finished' } }, lose);
}

/** Texts of the attribute that holds the system prompt. */
export function readInstructions(native: Json): Message[] {
  const list = Array.isArray(native) ? native : [native];
  return [
    {
      role: 'system',
      parts: list.map((part, i) => (typeof part === 'string' ? { type: 'text', text: part } : readPart(part, i))),
    },
  ];
}
