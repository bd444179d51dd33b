// The difference between two JSON values as a short list of changes, each of which is made only where it still finds what it expects.
import { digest } from './digest.ts';
import { equal, isObject, type Json, type JsonObject } from './values.ts';

/** One change. `at` is a JSON pointer into the value before any change (RFC 6901). */
export interface Change {
  readonly at: string;
  /** The digest of what must be there; of a list, of its shape. Without it nothing may be there. */
  readonly was?: string;
  /** The digest of the object around it, where that must not have changed either. */
  readonly in?: string;
  /** What comes there. A change with none of this, `take` and `order` takes away what is there. */
  readonly is?: Json;
  /** Where in `is` that which was there goes, instead of the null that stands for it. */
  readonly put?: string;
  /** What comes there is to be found in that which was there, at this place. */
  readonly take?: string;
  /** A list in its new order: places in the old one (`2`, or `[2, 5]` from and to), and what is new (`{"is": …}`). */
  readonly order?: readonly Json[];
}

/**
 * The changes that make `before` into `after`. `loose` says of a place whether a field may be added there even if its neighbours were edited;
 * elsewhere such a field is lost with the edit.
 */
export function diff(before: Json, after: Json, loose: (at: string, value: Json) => boolean): Change[] {
  const found: Change[] = [];
  new Diff(found, loose).compare(before, after, '');
  return found;
}

class Diff {
  readonly #found: Change[];
  readonly #loose: (at: string, value: Json) => boolean;

  constructor(found: Change[], loose: (at: string, value: Json) => boolean) {
    this.#found = found;
    this.#loose = loose;
  }

  compare(before: Json, after: Json, at: string): void {
    if (equal(before, after)) return;
    if (isObject(before) && isObject(after)) this.#objects(before, after, at);
    else if (Array.isArray(before) && Array.isArray(after) && (before.some(isNested) || after.some(isNested)))
      this.#lists(before, after, at);
    else this.#found.push({ at, was: digest(before), ...replacement(before, after) });
  }

  #objects(before: JsonObject, after: JsonObject, at: string): void {
    let around: string | undefined;
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, now] = [fieldOf(before, key), fieldOf(after, key)];
      const place = `${at}/${pointer(key)}`;
      if (old !== undefined && now !== undefined) this.compare(old, now, place);
      else if (old !== undefined) this.#found.push({ at: place, was: digest(old) });
      else if (now !== undefined) {
        const loose = this.#loose(place, now);
        if (!loose) around ??= digest(before);
        this.#found.push({ at: place, ...(!loose && { in: around }), is: now });
      }
    }
  }

  #lists(before: readonly Json[], after: readonly Json[], at: string): void {
    const places = align(before, after);
    const same = places.length === before.length && places.every((place, i) => place === i);
    if (!same) this.#found.push({ at, was: shapeOf(before, new Set(places)), order: written(places, after) });
    for (const [i, place] of places.entries())
      if (place !== undefined) this.compare(before[place] as Json, after[i] as Json, `${at}/${place}`);
  }
}

/** `after` in place of `before`. A text that is in both is not said again. */
function replacement(before: Json, after: Json): Pick<Change, 'is' | 'put' | 'take'> {
  const put = typeof before === 'string' ? placeOf(before, after) : undefined;
  if (put) return { is: withAt(after, keysOf(put), null), put };
  const take = typeof after === 'string' ? placeOf(after, before) : undefined;
  return take ? { take } : { is: after };
}

/** Shorter texts are said again: a place takes as many characters. */
const SHORT = 24;

/** Where a text stands in a value, not deeper than a content part: `/0/text`. */
function placeOf(text: string, value: Json): string | undefined {
  if (text.length < SHORT || typeof value !== 'object' || value === null) return undefined;
  const [outer] = Object.entries(value).slice(0, 1);
  if (outer === undefined) return undefined;
  const [key, item] = outer;
  if (item === text) return `/${pointer(key)}`;
  const found = isObject(item) ? Object.entries(item).find(([, leaf]) => leaf === text) : undefined;
  return found && `/${pointer(key)}/${pointer(found[0])}`;
}

const keysOf = (place: string): string[] => place.split('/').slice(1).map(keyIn);

/** The value with another at some place in it. */
function withAt(value: Json | undefined, [key, ...rest]: readonly string[], now: Json): Json {
  if (key === undefined) return now;
  if (Array.isArray(value)) return value.map((item, i) => (`${i}` === key ? withAt(item, rest, now) : item));
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([k, item]) => [k, k === key ? withAt(item, rest, now) : item]));
}

const atPlace = (value: Json, keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>(
    (node, key) => (Array.isArray(node) ? node[Number(key)] : isObject(node) ? fieldOf(node, key) : undefined),
    value,
  );

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null;

const fieldOf = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const keyIn = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

/** For each of `after` its place in `before`: the same value, else one of the same kind; undefined for what is new. */
function align(before: readonly Json[], after: readonly Json[]): (number | undefined)[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && equal(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && equal(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const last = before.length - end;
  const places: (number | undefined)[] = after.map((_, i) =>
    i < start ? i : i >= after.length - end ? i - after.length + before.length : undefined,
  );
  const taken = new Set<number>();
  for (const name of [digest, kindOf]) {
    const free = new Map<string, number[]>();
    for (let i = last - 1; i >= start; i -= 1) if (!taken.has(i)) push(free, name(before[i]), i);
    for (let i = start; i < after.length - end; i += 1) {
      const place = places[i] === undefined ? free.get(name(after[i]))?.pop() : undefined;
      if (place === undefined) continue;
      places[i] = place;
      taken.add(place);
    }
  }
  pairRenamed(
    { items: before, left: range(start, last).filter((i) => !taken.has(i)) },
    { items: after, left: range(start, after.length - end).filter((i) => places[i] === undefined) },
    places,
  );
  return places;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** The places of a list that have no partner yet. */
interface Rest {
  readonly items: readonly Json[];
  readonly left: readonly number[];
}

/** What is left of one type and role on both sides in the same number is the same under other ids. */
function pairRenamed(before: Rest, after: Rest, places: (number | undefined)[]): void {
  const [free, wanted] = [before, after].map(({ items, left }) => {
    const byType = new Map<string, number[]>();
    for (const i of left) push(byType, typeOf(items[i] ?? null), i);
    return byType;
  });
  for (const [type, all] of wanted ?? []) {
    const offered = free?.get(type);
    if (type !== '' && offered?.length === all.length) for (const [n, i] of all.entries()) places[i] = offered[n];
  }
}

/** The type and role of an element; empty where it has none. */
const typeOf = (value: Json): string =>
  isObject(value)
    ? TYPES.filter((key) => typeof value[key] === 'string')
        .map((key) => `${key}=${value[key]}`)
        .join('&')
    : '';

function push(lists: Map<string, number[]>, key: string, item: number): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** What an element of a list is, whatever it says: its type, role, id and name, or the names of its fields. */
function kindOf(value: unknown): string {
  if (!isObject(value)) return Array.isArray(value) ? '[]' : JSON.stringify(value ?? null);
  const named = KINDS.filter((key) => typeof value[key] === 'string').map((key) => `${key}=${value[key]}`);
  return named.length > 0 ? named.join('&') : Object.keys(value).sort().join(' ');
}

const TYPES = ['type', 'role'];
const KINDS = [...TYPES, 'id', 'tool_use_id', 'tool_call_id', 'call_id', 'name', 'title'];

/** The digest of a list's shape: the kinds of its elements, and the whole of those that do not stay. */
const shapeOf = (list: readonly Json[], stays: ReadonlySet<number | undefined>): string =>
  digest(list.map((item, i) => (stays.has(i) ? kindOf(item) : ['gone', digest(item)])));

/** The new order, runs of neighbours as one. */
function written(places: readonly (number | undefined)[], after: readonly Json[]): Json[] {
  const order: Json[] = [];
  for (const [i, place] of places.entries()) {
    const run = order.at(-1);
    const end = Array.isArray(run) ? run[1] : run;
    if (place === undefined) order.push({ is: after[i] as Json });
    else if (typeof end === 'number' && place === end + 1)
      order[order.length - 1] = [Array.isArray(run) ? (run[0] as number) : end, place];
    else order.push(place);
  }
  return order;
}

interface Node {
  change?: Change;
  readonly children: Map<string, Node>;
}

/**
 * Makes the changes that still find what they expect, and leaves the others. With `only` set to `old`, nothing comes into a list that was not
 * there. A list of changes that is none is no change.
 */
export function patched(value: Json, changes: unknown, only?: 'old'): Json {
  const root: Node = { children: new Map() };
  for (const change of Array.isArray(changes) ? changes : []) {
    if (!isObject(change) || typeof change.at !== 'string') continue;
    let node = root;
    for (const key of keysOf(change.at)) {
      const child = node.children.get(key) ?? { children: new Map() };
      node.children.set(key, child);
      node = child;
    }
    node.change = change as unknown as Change;
  }
  return inner(value, root, only);
}

/** The value after the changes at and below it; undefined if one takes it away. */
function change(value: Json, node: Node, only: 'old' | undefined): Json | undefined {
  const own = node.change;
  if (own && own.order === undefined) return own.was === digest(value) ? replaced(value, own) : value;
  if (Array.isArray(value)) {
    const items =
      node.children.size === 0 ? value : value.map((item, i) => inner(item, node.children.get(`${i}`), only));
    return own ? arranged(value, items, own, only) : items;
  }
  return isObject(value) && node.children.size > 0 ? fields(value, node, only) : value;
}

function replaced(value: Json, { is, put, take }: Change): Json | undefined {
  if (typeof take === 'string') return atPlace(value, keysOf(take)) ?? value;
  return typeof put === 'string' ? withAt(is, keysOf(put), value) : is;
}

/** The changed value of something that cannot be taken away. */
function inner(item: Json, node: Node | undefined, only: 'old' | undefined): Json {
  const changed = node && change(item, node, only);
  return changed === undefined ? item : changed;
}

function fields(value: JsonObject, node: Node, only: 'old' | undefined): JsonObject {
  const result = new Map(Object.entries(value));
  let whole: string | undefined;
  for (const [key, child] of node.children) {
    const old = fieldOf(value, key);
    const { is, was, in: around } = child.change ?? {};
    if (around !== undefined) whole ??= digest(value);
    if (old !== undefined) result.set(key, change(old, child, only));
    else if (was === undefined && is !== undefined && around === (around && whole)) result.set(key, is);
  }
  return Object.fromEntries([...result].filter(([, field]) => field !== undefined));
}

function arranged(old: readonly Json[], items: Json[], { was, order }: Change, only: 'old' | undefined): Json[] {
  const steps = (Array.isArray(order) ? order : []).flatMap((step): (number | { readonly is?: Json })[] => {
    if (!Array.isArray(step)) return [step as number];
    const [from, to] = step as [number, number];
    const most = Math.min(to, old.length - 1);
    return Array.from({ length: Math.max(0, most - from + 1) }, (_, i) => from + i);
  });
  const kept = new Set(steps.filter((step) => typeof step === 'number'));
  const isNew = steps.some(isObject);
  if (was !== shapeOf(old, kept) || (only === 'old' && isNew)) return items;
  return steps.map((step) => (typeof step === 'number' ? items[step] : step?.is) ?? null);
}
