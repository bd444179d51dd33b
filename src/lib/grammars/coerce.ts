// Arguments that came as text get the types of the tool's schema: one rule for every format.
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { parseJson, parseLiteral } from './json.ts';
import { type Admitted, Schema, says, type TypeName } from './schema.ts';
import type { TextArgument } from './types.ts';
import { elements, gather, isList, NOISE } from './xml.ts';

interface Coerced {
  readonly value: JsonObject;
  /** Keys whose text fits no type that the schema admits; they stay text. */
  readonly unfit: readonly string[];
}

/**
 * The arguments as an object, in their order; of a repeated key the last counts. A text becomes the first of null, boolean, integer, number,
 * array, object and string that the schema admits and that the text can be read as. Where nothing says what a value is (no schema, or a key
 * that it does not name), JSON and Python literals are read as such.
 */
export function coerceTexts(entries: readonly TextArgument[], root: Json | undefined): Coerced {
  const schema = new Schema(root);
  const others = new Map(entries.map(({ key, text }) => [key, text]));
  const unfit: string[] = [];
  const values = grouped(entries, schema, root).map((entry): [string, Json] => {
    if ('items' in entry) return [entry.key, conform([...entry.items], schema.property(entry.key, others), schema)];
    const { key, text } = entry;
    if (entry.type === 'string') return [key, text];
    const here = root === undefined ? undefined : schema.property(key, others);
    const value = typedValue(entry, here, schema);
    if (value === undefined) unfit.push(key);
    return [key, value === undefined ? text : value];
  });
  return { value: Object.fromEntries(values), unfit };
}

/** Texts of a repeated key, where it is to be a list. */
interface Repeated {
  readonly key: string;
  readonly items: readonly string[];
}

/** The texts, those of a repeated key as one where the schema wants a list and none of them is one. */
function grouped(
  entries: readonly TextArgument[],
  schema: Schema,
  root: Json | undefined,
): readonly (TextArgument | Repeated)[] {
  if (root === undefined || new Set(entries.map(({ key }) => key)).size === entries.length) return entries;
  const byKey = new Map<string, TextArgument[]>();
  for (const entry of entries) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  return [...byKey].flatMap(([key, all]): (TextArgument | Repeated)[] => {
    const { any, types } = schema.admitted(schema.property(key, new Map()));
    const list = all.length > 1 && !any && types.has('array') && !all.some(({ text }) => /^\s*\[/.test(text));
    return list ? [{ key, items: all.map(({ text }) => text) }] : all;
  });
}

function typedValue(
  { text, type, quoted: mayBeQuoted }: TextArgument,
  here: Json | undefined,
  schema: Schema,
): Json | undefined {
  const admitted = schema.admitted(here);
  const inner = mayBeQuoted && admitted.types.has('string') && !admitted.values ? jsonString(text) : undefined;
  if (inner !== undefined) return inner;
  const value = type === 'json' ? asJson(text, admitted) : coerce(text, admitted);
  if (value !== undefined && (typeof value !== 'string' || !isMarkup(text, admitted))) return value;
  const children = /^\s*[<\]]/.test(text) ? fromElements(text, 0) : undefined;
  return children === undefined ? value : conform(children, here, schema);
}

/** Whether a text that could be read as nothing else is to be read as elements. */
function isMarkup(text: string, { any, types }: Admitted): boolean {
  return any ? text.includes(NOISE) : !types.has('string');
}

/** Child elements as an object or a list of texts; undefined where there are none. */
function fromElements(text: string, depth: number): Json | undefined {
  const children = depth > DEEPEST ? undefined : elements(text);
  if (children === undefined) return undefined;
  const pairs = children.map(({ key, text: inner }): [string, Json] => [key, fromElements(inner, depth + 1) ?? inner]);
  return isList(children) ? pairs.map(([, value]) => value) : gather(pairs);
}

const DEEPEST = 32;

/**
 * Typed arguments as the schema admits them: a text that is to be a number or the like, and a number that is to be a text. What fits stays the
 * same object.
 */
export function conform(value: Json, here: Json | undefined, schema: Schema): Json {
  if (typeof value === 'object' && value !== null) return conformInner(value, here, schema);
  const { any, types, values } = schema.admitted(here);
  if (any || values) return typeof value === 'string' && any && here === undefined ? value : listed(value, values);
  if (typeof value === 'string') return types.has('string') ? value : (coerce(value, { any, types }) ?? value);
  const scalar = value !== null && types.size === 1 && types.has('string');
  return scalar ? JSON.stringify(value) : value;
}

function listed(value: Json, values: readonly Json[] | undefined): Json {
  if (values === undefined || typeof value !== 'string' || values.includes(value)) return value;
  return values.find((one) => says(value, one)) ?? value;
}

function conformInner(value: JsonObject | Json[], here: Json | undefined, schema: Schema): Json {
  if (here === undefined) return value;
  if (Array.isArray(value)) {
    const items = schema.within(here, 0);
    const after = value.map((item) => conform(item, items, schema));
    return after.every((item, i) => item === value[i]) ? value : after;
  }
  const texts = new Map(
    Object.entries(value).flatMap(([key, item]) => (typeof item === 'string' ? [[key, item]] : [])),
  );
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    conform(item ?? null, schema.within(here, key, texts), schema),
  ]);
  return entries.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(entries);
}

function asJson(text: string, admitted: Admitted): Json | undefined {
  return parseLiteral(text)?.value ?? coerce(text, admitted);
}

/** The value of a text; undefined if it fits nothing that is admitted. */
function coerce(text: string, admitted: Admitted): Json | undefined {
  if (admitted.any) return guess(text);
  const listed = admitted.values?.find((value) => says(text, value));
  if (listed !== undefined) return listed;
  if (admitted.values) return listedIn(text, admitted.values);
  const plain = admitted.types.size > 1 ? quoted(text, admitted) : undefined;
  if (plain !== undefined) return plain;
  for (const type of ORDER) {
    const value = admitted.types.has(type) ? READERS[type](text) : undefined;
    if (value !== undefined) return value;
  }
  return unquoted(text, admitted) ?? mended(text, admitted);
}

/** A listed value that was quoted though it is none of a string. */
function listedIn(text: string, values: readonly Json[]): Json | undefined {
  const inner = /^\s*\\?(["'])(.*)\\?\1\s*$/s.exec(text)?.[2];
  return inner === undefined ? undefined : values.find((value) => says(inner, value));
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
  const digits = /^\s*[+]?(-?\d+)\s*$/.exec(text)?.[1];
  return digits !== undefined && BigInt(value) !== BigInt(digits) ? undefined : value;
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
  return typeof value === 'object' && value !== null && types.has(Array.isArray(value) ? 'array' : 'object')
    ? value
    : undefined;
}

function jsonString(text: string): string | undefined {
  const value = /^\s*".*"\s*$/s.test(text) ? parseLiteral(text)?.value : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** A string in quotes, where without them it would be something else: `"null"`. */
function quoted(text: string, { types }: Admitted): string | undefined {
  const value = types.has('string') && /^\s*"/.test(text) ? parseLiteral(text)?.value : undefined;
  return typeof value === 'string' && typeof guess(value) !== 'string' ? value : undefined;
}

/** A value that was quoted though it is none of a string: `"123"` for a number. */
function unquoted(text: string, admitted: Admitted): Json | undefined {
  const inner = /^\s*(\\?["'])(.*)\1\s*$/s.exec(text)?.[2];
  return inner === undefined ? undefined : coerce(inner, admitted);
}

/** JSON and Python constants, numbers, lists and objects; anything else is a string. */
function guess(text: string): Json {
  const trimmed = text.trim();
  if (!/^(?:[[{]|[-+.\d]|true$|false$|null$|none$)/i.test(trimmed)) return text;
  if (/^[-+.\d]/.test(trimmed))
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : text;
  const value = parseLiteral(trimmed)?.value;
  return value === undefined || typeof value === 'string' ? text : value;
}
