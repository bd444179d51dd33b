// The lines of a session log, taken apart. There is no published schema: the fields are those that real logs have.
// A log that `claude -p --output-format stream-json` printed has the same messages under slightly other names.

import type { Rec } from '../../../json/record.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';

export interface Line {
  /** Its place among the lines of the log. */
  readonly index: number;
  readonly rec: Rec;
  readonly value: JsonObject;
  readonly kind: 'user' | 'assistant' | 'boundary' | 'other';
  readonly uuid?: string;
  /** null: it begins a tree. undefined: it does not say. */
  readonly parent?: string | null;
  readonly session?: string;
  /** The thread of a sub-agent that it belongs to; '' where only `isSidechain` is known. */
  readonly side?: string;
  /** What was said, for a user or an assistant. */
  readonly message?: JsonObject;
  /** The ids of the calls that it answers, if that is all it does. */
  readonly answers?: readonly string[];
}

export function readLines(records: readonly Rec[]): Line[] {
  const lines: Line[] = [];
  for (const rec of records) if (isObject(rec.value)) lines.push(readLine(rec, rec.value, lines.length));
  return lines;
}

function readLine(rec: Rec, value: JsonObject, index: number): Line {
  const message = messageOf(value);
  const uuid = text(value.uuid);
  return {
    index,
    rec,
    value,
    kind: kindOf(value, message),
    uuid,
    parent: value.parentUuid === null ? null : text(value.parentUuid),
    session: text(value.sessionId) ?? text(value.session_id),
    side: sideOf(value),
    message,
    answers: message && value.type === 'user' ? answersOf(message) : undefined,
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A prompt that was typed while the model worked stands in an attachment. */
function messageOf({ type, message, attachment }: JsonObject): JsonObject | undefined {
  if (type === 'user' || type === 'assistant') return isObject(message) ? message : undefined;
  if (type !== 'attachment' || !isObject(attachment) || attachment.type !== 'queued_command') return undefined;
  const { prompt } = attachment;
  return typeof prompt === 'string' || Array.isArray(prompt) ? { role: 'user', content: prompt } : undefined;
}

function kindOf(value: JsonObject, message: JsonObject | undefined): Line['kind'] {
  if (value.type === 'system' && value.subtype === 'compact_boundary') return 'boundary';
  if (message === undefined) return 'other';
  return value.type === 'assistant' ? 'assistant' : 'user';
}

function sideOf({ isSidechain, agentId, parent_tool_use_id }: JsonObject): string | undefined {
  if (typeof parent_tool_use_id === 'string') return parent_tool_use_id;
  return isSidechain === true ? (text(agentId) ?? '') : undefined;
}

function answersOf({ content }: JsonObject): string[] | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const ids = content.map((block) => (isObject(block) && block.type === 'tool_result' ? block.tool_use_id : undefined));
  return ids.every((id) => typeof id === 'string') ? (ids as string[]) : undefined;
}

/** The blocks of a message's content. */
function blocksOf(message: JsonObject | undefined): JsonObject[] {
  const content: Json | undefined = message?.content;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The ids of the calls that an assistant line makes. */
export function callsOf(line: Line): string[] {
  return blocksOf(line.message).flatMap(({ type, id }) => (type === 'tool_use' && typeof id === 'string' ? [id] : []));
}

/** The uuids of lines that were taken back: replaced by a later attempt, or refused. */
export function takenBack(lines: readonly Line[]): Set<string> {
  const gone = new Set<string>();
  for (const { value } of lines)
    for (const list of [value.supersedesUuids, value.supersedes, value.retractedMessageUuids])
      if (Array.isArray(list)) for (const uuid of list) if (typeof uuid === 'string') gone.add(uuid);
  return gone;
}
