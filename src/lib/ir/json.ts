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
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => equal(x, b[i]));
  if (Array.isArray(b)) return false;
  const left = a as JsonObject;
  const right = b as JsonObject;
  const keys = Object.keys(left).filter((k) => left[k] !== undefined);
  if (keys.length !== Object.keys(right).filter((k) => right[k] !== undefined).length) return false;
  return keys.every((k) => Object.hasOwn(right, k) && equal(left[k], right[k]));
}
