// JSON values, and the few questions that everything asks of them.

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that a codec walks into has the wrong type. `path` is the field inside the record, such as `content[2].text`. */
export class ShapeError extends Error {
  readonly path: string;

  constructor(path: string, wanted: string, found: unknown) {
    super(`"${path}" must be ${wanted}, not ${kindOf(found)}`);
    this.path = path;
  }
}

/** The JSON kind of a value with its article, for error texts: `a number`, `an array`, `missing`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** `value` if it is a string; otherwise throws a ShapeError for `path`. */
export function asString(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new ShapeError(path, 'a string', value);
}

/** `value` if it is a string, else none: a value that is no text has no words to look at. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `value` if it is an array; otherwise throws a ShapeError for `path`. */
export function asArray<T>(value: readonly T[] | unknown, path: string): readonly T[] {
  if (Array.isArray(value)) return value;
  throw new ShapeError(path, 'an array', value);
}

/** `value` if it is an object; otherwise throws a ShapeError for `path`. */
export function asObject<T extends object>(value: T | unknown, path: string): T {
  if (isObject(value)) return value as T;
  throw new ShapeError(path, 'an object', value);
}

/** Equality of JSON values: key order does not count, and a key whose value is undefined is absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return !Array.isArray(b) && equalObjects(a as JsonObject, b as JsonObject);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (!equal(a[i], b[i])) return false;
  return true;
}

/** Without lists of the keys: every record is compared with what became of it. */
function equalObjects(a: JsonObject, b: JsonObject): boolean {
  let more = 0;
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    // What is inherited is no JSON, but for what stands under this name.
    if (!equal(value, b[key]) || (key === '__proto__' && !Object.hasOwn(b, key))) return false;
    more += 1;
  }
  for (const key in b) if (b[key] !== undefined) more -= 1;
  return more === 0;
}
