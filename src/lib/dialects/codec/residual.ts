// Keeps what a codec does not name, and lets the compiler find a field that it forgot to name.

import type { Ext, FormatName } from '../../conversation/types.ts';
import type { Json, JsonObject } from '../../json/values.ts';

/** All fields of all members of a union, each optional: what a record of that union may carry. */
export type Fields<U> = { [K in AllKeys<U>]?: U extends unknown ? (K extends keyof U ? U[K] : never) : never };
type AllKeys<U> = U extends unknown ? keyof U : never;

/** Accepts only the rest of a destructuring that named every field; an unnamed one shows up in the compiler's message. */
export type Nothing<T> = [keyof T] extends [never] ? T : { readonly 'these fields are not recognised': keyof T };

/**
 * The residual of one format: `rest` (unknown fields) and those of `kept` that are present. `kept` holds the fields that the view does not
 * name and, through `ifNull`, the nulls of those it does.
 */
export function residual<T extends object>(
  format: FormatName,
  rest: Nothing<T>,
  kept: { readonly [field: string]: unknown } = {},
): Ext | undefined {
  let found: JsonObject | undefined;
  for (const key in rest) found = put(found, key, rest[key as keyof typeof rest]);
  for (const key in kept) found = put(found, key, kept[key]);
  return found && { [format]: found };
}

function put(found: JsonObject | undefined, key: string, value: unknown): JsonObject | undefined {
  if (value === undefined) return found;
  // A plain assignment to "__proto__" would not make a field.
  if (key === '__proto__') return { ...found, ['__proto__']: value as Json };
  const into = found ?? {};
  into[key] = value as Json;
  return into;
}

/** For the residual: a null says no more than absence to the view, and still has to come back. */
export function ifNull(value: unknown): null | undefined {
  return value === null ? null : undefined;
}

/** The name under which the residual of a whole reply stands, beside that of its message: a reply becomes a message in a conversation. */
export const replyOf = (format: FormatName): FormatName => `${format}:reply`;

/** The residual of `format` in `ext`, to be spread before the fields of the view so that the view wins. */
export function own(ext: Ext | undefined, format: FormatName): JsonObject | undefined {
  return ext?.[format];
}
