// What a record must look like, as data: the fields that an API requires, the words that it knows, and what kind each value is.
import { isObject, type Json, type JsonObject } from '../json/values.ts';

type Path = readonly (string | number)[];

/** A value that is not as it must be. */
export interface Wrong {
  readonly path: Path;
  /** Undefined: it is missing. */
  readonly is: Json | undefined;
  /** What it must be, in words. */
  readonly must: string;
  /** What mends it without inventing anything: a place, and what it is to hold there; undefined takes it away. */
  readonly mend?: { readonly path: Path; readonly value?: Json };
}

/** Looks at a value; undefined: nothing is wrong with it. */
export type Shape = (value: Json, path: Path) => Wrong | undefined;

const where =
  (holds: (value: Json) => boolean, must: string): Shape =>
  (value, path) =>
    holds(value) ? undefined : { path, is: value, must };

export const anything: Shape = () => undefined;
export const flag = where((value) => typeof value === 'boolean', 'true or false');
export const whole = where((value) => Number.isInteger(value), 'a whole number');
export const object = where(isObject, 'an object');
export const text = where((value) => typeof value === 'string', 'a text');
export const filled = where((value) => typeof value === 'string' && value !== '', 'a text that is not empty');

export const most = (length: number): Shape =>
  where((value) => typeof value === 'string' && value.length <= length, `a text of ${length} characters at most`);

export const matching = (pattern: RegExp, must: string): Shape =>
  where((value) => typeof value === 'string' && pattern.test(value), must);

export const between = (least: number, greatest: number): Shape =>
  where(
    (value) => typeof value === 'number' && value >= least && value <= greatest,
    greatest === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `between ${least} and ${greatest}`,
  );

/** One of the words that the text lists. */
export function one(words: string): Shape {
  const known = words.split(/\s+/);
  return where((value) => typeof value === 'string' && known.includes(value), `one of ${known.join(', ')}`);
}

/** The only value that there is: where it is missing, it can be given. */
export function only(word: string): Shape & { readonly given: Json } {
  return Object.assign(
    where((value) => value === word, JSON.stringify(word)),
    { given: word },
  );
}

interface ListOptions {
  /** How many there are at least. */
  readonly least?: number;
  /** Those that are wrong go. */
  readonly drops?: boolean;
  /** What says the same as too short a list. */
  readonly empty?: Json;
}

/** A value whose absence says the same as `given`, which the API wants to be written. */
export const orGiven = (shape: Shape, given: Json): Shape & { readonly given: Json } =>
  Object.assign(
    (value: Json, path: Path) =>
      value === null ? { path, is: value, must: 'given', mend: { path, value: given } } : shape(value, path),
    { given },
  );

/** A list of such values. */
export function list(shape: Shape, { least = 0, drops = false, empty }: ListOptions = {}): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, is: value, must: 'a list' };
    if (value.length < least)
      return {
        path,
        is: value,
        must: `a list of ${least} at least`,
        ...(empty !== undefined && { mend: { path, value: empty } }),
      };
    for (const [i, item] of value.entries()) {
      const wrong = shape(item, [...path, i]);
      // What holds the list is not to go for one item of it.
      if (wrong) return { ...wrong, mend: wrong.mend ?? { path: drops ? [...path, i] : NOWHERE } };
    }
    return undefined;
  };
}

/** A mend that is none. */
const NOWHERE: Path = [];

/** The first of these for a text, the second for anything else. */
export const textOr =
  (words: Shape, other: Shape): Shape =>
  (value, path) =>
    (typeof value === 'string' ? words : other)(value, path);

/** The fields of an object: `name!` has to be there. Others may be, unless the object is `closed` or names those that may not. */
export function fields(
  table: { readonly [name: string]: Shape },
  others: 'open' | 'closed' | ReadonlySet<string> = 'open',
): Shape {
  const rows = Object.entries(table).map(([name, shape]) => ({
    name: name.replace(/!$/, ''),
    shape,
    required: name.endsWith('!'),
  }));
  const known = new Set([...rows.map(({ name }) => name), '_meta']);
  const strange = (name: string): boolean =>
    typeof others === 'string' ? others === 'closed' && !known.has(name) : others.has(name);
  return (value, path) => {
    if (!isObject(value)) return { path, is: value, must: 'an object' };
    for (const row of rows) {
      const wrong = inField(value[row.name], row, [...path, row.name]);
      if (wrong) return wrong;
    }
    const other = Object.keys(value).find(strange);
    if (other === undefined) return undefined;
    const at = [...path, other];
    return { path: at, is: value[other], must: UNKNOWN, mend: { path: at } };
  };
}

export const UNKNOWN = 'not allowed: the API has none';

function inField(
  value: Json | undefined,
  { shape, required }: { readonly shape: Shape; readonly required: boolean },
  path: Path,
): Wrong | undefined {
  const given = 'given' in shape ? { mend: { path, value: shape.given as Json } } : {};
  if (value === undefined) return required ? { path, is: undefined, must: 'given', ...given } : undefined;
  if (value === null && !required) return undefined;
  const wrong = shape(value, path);
  if (wrong === undefined || required) return wrong;
  return { ...wrong, mend: wrong.mend ?? { path } };
}

/** An object whose shape one of its fields tells. One of a kind that nobody knows goes. */
export function by(field: string, table: { readonly [kind: string]: Shape }, usual?: string): Shape {
  const kinds = Object.keys(table);
  return (value, path) => {
    if (!isObject(value)) return { path, is: value, must: 'an object' };
    const kind = value[field] ?? usual;
    const at = [...path, field];
    if (kind === undefined) return { path: at, is: undefined, must: `one of ${kinds.join(', ')}` };
    const shape = typeof kind === 'string' && Object.hasOwn(table, kind) ? table[kind] : undefined;
    return shape ? shape(value, path) : { path: at, is: kind, must: `one of ${kinds.join(', ')}` };
  };
}

/** An object with one field, which tells what it is. */
export function union(table: { readonly [kind: string]: Shape }): Shape {
  return (value, path) => {
    if (!isObject(value)) return { path, is: value, must: 'an object' };
    const kinds = Object.keys(value).filter((name) => name !== '_meta');
    const [kind = ''] = kinds;
    const shape = Object.hasOwn(table, kind) ? table[kind] : undefined;
    if (kinds.length !== 1 || shape === undefined)
      return { path, is: value, must: `an object with one of ${Object.keys(table).join(', ')}` };
    return shape(value[kind] as Json, [...path, kind]);
  };
}

/** Types that need nothing said of them. */
export const kinds = (names: string, shape: Shape = anything): { readonly [kind: string]: Shape } =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]));

/** Several shapes of one value. */
export const all =
  (...shapes: readonly Shape[]): Shape =>
  (value, path) => {
    for (const shape of shapes) {
      const wrong = shape(value, path);
      if (wrong) return wrong;
    }
    return undefined;
  };

/** A path as one would write it: `tools[0].name`. */
export const spoken = (path: Path): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

/** The object with what `mend` says. */
export function mendedAt(value: JsonObject, [step, ...rest]: Path, now: Json | undefined): JsonObject {
  return put(value, [step as string | number, ...rest], now) as JsonObject;
}

function put(value: Json | undefined, [step, ...rest]: Path, now: Json | undefined): Json | undefined {
  if (step === undefined) return now;
  if (Array.isArray(value)) {
    const item = put(value[step as number], rest, now);
    return item === undefined ? value.toSpliced(step as number, 1) : value.with(step as number, item);
  }
  if (!isObject(value)) return value;
  const field = put(value[step], rest, now);
  const kept = Object.entries(value).filter(([name]) => name !== step);
  if (field === undefined) return Object.fromEntries(kept);
  return Object.hasOwn(value, step)
    ? Object.fromEntries(Object.entries(value).map(([name, old]) => [name, name === step ? field : old]))
    : { ...value, [step]: field };
}
