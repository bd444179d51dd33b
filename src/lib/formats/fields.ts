// Objects without the fields that have no value.
import type { Json, JsonObject } from '../ir/json.ts';

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
