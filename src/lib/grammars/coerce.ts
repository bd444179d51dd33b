// Arguments that came as text get the types of the tool's schema: one rule for every format.
import { isObject, type Json, type JsonObject } from '../ir/json.ts';
import { parseJson, parseLiteral } from './json.ts';
import { type Admitted, Schema, says, type TypeName } from './schema.ts';
import type { TextArgument } from './types.ts';

export interface Coerced {
  readonly value: JsonObject;
  /** Keys whose text fits no type that the schema admits; they stay text. */
  readonly unfit: readonly string[];
}

/**
 * The arguments as an object, in their order; of a repeated key the last counts. A text becomes the first of null, boolean, integer, number,
 * array, object and string that the schema admits and that the text can be read as. Where nothing says what a value is (no schema, or a key
 * that it does not name), JSON and Python literals are read as such.
 */
export function coerceTexts(entries: readonly TextArgument[], schema: Json | undefined): Coerced {
  const read = new Schema(schema);
  const others = new Map(entries.map(({ key, text }) => [key, text]));
  const unfit: string[] = [];
  const values = entries.map(({ key, text, type }): [string, Json] => {
    if (type === 'string') return [key, text];
    const admitted = read.admitted(schema === undefined ? undefined : read.property(key, others));
    const value = type === 'json' ? asJson(text, admitted) : coerce(text, admitted);
    if (value === undefined) unfit.push(key);
    return [key, value ?? text];
  });
  return { value: Object.fromEntries(values), unfit };
}

function asJson(text: string, admitted: Admitted): Json | undefined {
  return parseLiteral(text)?.value ?? coerce(text, admitted);
}

/** The value of a text; undefined if it fits nothing that is admitted. */
function coerce(text: string, admitted: Admitted): Json | undefined {
  if (admitted.any) return guess(text);
  const listed = admitted.values?.find((value) => says(text, value));
  if (listed !== undefined) return listed;
  if (admitted.values) return undefined;
  for (const type of ORDER) {
    const value = admitted.types.has(type) ? READERS[type](text) : undefined;
    if (value !== undefined) return value;
  }
  return unquoted(text, admitted) ?? mended(text, admitted);
}

const ORDER: readonly TypeName[] = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'];

const READERS: { readonly [type in TypeName]: (text: string) => Json | undefined } = {
  null: (text) => (/^\s*(?:null|none|nil)\s*$/i.test(text) ? null : undefined),
  boolean: (text) => BOOLEANS.get(text.trim().toLowerCase()),
  integer: (text) => (/^\s*[+-]?\d+(?:\.0*)?\s*$/.test(text) ? exact(text) : undefined),
  number: (text) => (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text) ? exact(text) : undefined),
  array: (text) => container(text, Array.isArray),
  object: (text) => container(text, isObject),
  string: (text) => text,
};

const BOOLEANS = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A number that JSON can say. An integer beyond its precision stays text. */
function exact(text: string): number | undefined {
  const value = Number(text.trim());
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && /^\s*[+-]?\d+\s*$/.test(text) && !Number.isSafeInteger(value) ? undefined : value;
}

function container(text: string, is: (value: unknown) => boolean): Json | undefined {
  const value = parseLiteral(text)?.value;
  if (value !== undefined && is(value)) return value;
  const inner = typeof value === 'string' ? parseLiteral(value)?.value : undefined;
  return inner !== undefined && is(inner) ? inner : undefined;
}

/** A list or an object with mistakes, where only such a value is admitted. */
function mended(text: string, { types }: Admitted): Json | undefined {
  if (!types.has('array') && !types.has('object')) return undefined;
  const value = parseJson(text)?.value;
  return typeof value === 'object' && value !== null && types.has(Array.isArray(value) ? 'array' : 'object') ? value : undefined;
}

/** A value that was quoted though it is none of a string: `"123"` for a number. */
function unquoted(text: string, admitted: Admitted): Json | undefined {
  const inner = /^\s*(\\?["'])(.*)\1\s*$/s.exec(text)?.[2];
  return inner === undefined ? undefined : coerce(inner, admitted);
}

/** JSON and Python constants, numbers, lists and objects; anything else is a string. */
function guess(text: string): Json {
  const trimmed = text.trim();
  if (!/^(?:[[{]|[-+.\d]|true$|false$|null$|none$|nan$|")/i.test(trimmed)) return text;
  if (/^[-+.\d]/.test(trimmed)) return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : text;
  const value = parseLiteral(trimmed)?.value;
  return value === undefined || (typeof value === 'string' && !trimmed.startsWith('"')) ? text : value;
}
