// Records that stay in a stream and are no part of its conversation: `ai-condense --mark` makes them, and `--restore` shows them again.
import { isObject, type Json, type JsonObject } from '../json/values.ts';

/** What is noted of a hidden record: why, and its line where it cannot be made again from its value. */
interface Hidden {
  readonly reason: string;
  /** The line as it came. */
  readonly source?: string;
}

/** Whether a record is hidden. Whatever sends, counts or rolls up a conversation leaves it out; what passes records on passes it too. */
export const isHidden = (value: unknown): boolean =>
  isObject(value) && isObject(value._meta) && value._meta.hidden === true;

/** The record, hidden. */
export function hidden(value: Json | undefined, { reason, source }: Hidden): JsonObject {
  const object = isObject(value) ? value : {};
  const before = isObject(object._meta) ? object._meta : {};
  const hidden_for = { reason, ...(source !== undefined && { source }) };
  return { ...object, _meta: { ...before, hidden: true, hidden_for } };
}

/** What is noted of a record; undefined if it is not hidden, or nobody noted anything. */
export function noteOf(value: unknown): Hidden | undefined {
  const note = isHidden(value) ? ((value as JsonObject)._meta as JsonObject).hidden_for : undefined;
  if (!isObject(note)) return undefined;
  return { reason: String(note.reason), ...(typeof note.source === 'string' && { source: note.source }) };
}

/** The record without the mark, and without a `_meta` that has nothing else. */
export function shown(value: JsonObject): JsonObject {
  const { _meta, ...rest } = value;
  const { hidden, hidden_for, ...meta } = _meta as JsonObject;
  return Object.keys(meta).length === 0 ? rest : { ...value, _meta: meta };
}

/** Whether a record stands where hidden ones were. */
export const isStandIn = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value._meta) &&
  isObject(value._meta.condensed) &&
  value._meta.condensed.stands_in === true;

/** The `_meta` of a record that not only stand-ins share: where the hidden ones are shown again, it stays. */
export function notStandIn(meta: JsonObject): JsonObject {
  const { stands_in, ...condensed } = meta.condensed as JsonObject;
  return { ...meta, condensed };
}
