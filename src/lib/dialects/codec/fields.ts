// Objects without the fields that have no value.
import type { Json, JsonObject } from '../../json/values.ts';

/** The fields that have a value; undefined if none has. */
export function optional(fields: { readonly [field: string]: Json | undefined }): JsonObject | undefined {
  let found: JsonObject | undefined;
  for (const key in fields)
    if (fields[key] !== undefined) {
      found ??= {};
      found[key] = fields[key];
    }
  return found;
}

/** Fields with a value; where there is none, what `kept` says. */
export function present(
  fields: { readonly [field: string]: Json | undefined },
  kept: JsonObject | undefined,
): JsonObject {
  const entries = Object.entries(fields).map(([key, value]) => [key, value === undefined ? kept?.[key] : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The first field of a tagged union's member, or its `type`: what a part that is not known is called. */
export function nameOf(value: Json): string {
  const fields = typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  return typeof fields.type === 'string' ? fields.type : (Object.keys(fields)[0] ?? 'part');
}

/** Fields of an inner object, each under its path (`options.num_ctx`), so that each can be told by its own name. */
export function spread(path: string, fields: object): { readonly [path: string]: Json } {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${path}.${key}`, value]));
}

/** What `spread` has taken out of an inner object, and the fields that stand beside it. */
export function gather(path: string, kept: JsonObject | undefined): { inner: JsonObject; beside: JsonObject } {
  if (kept === undefined) return NOTHING;
  const start = `${path}.`;
  const entries = Object.entries(kept);
  const inside = entries
    .filter(([key]) => key.startsWith(start))
    .map(([key, value]) => [key.slice(start.length), value]);
  return {
    inner: Object.fromEntries(inside),
    beside: Object.fromEntries(entries.filter(([key]) => !key.startsWith(start))),
  };
}

const NOTHING = { inner: {}, beside: {} };

/** What a table has for a key that comes from data: nothing that a table inherits. */
export function lookup<T>(table: { readonly [key: string]: T }, key: unknown): T | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}
