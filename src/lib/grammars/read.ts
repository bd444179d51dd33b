// What stands at an opener, for those who look at a text as a whole and as it grows.
import type { Opener } from './openers.ts';
import type { Source, Tag } from './source.ts';
import { skipStray } from './stray.ts';
import type { Opening, Reading, Spoken } from './types.ts';

/** Where an opener stands that is known by the character at `at`. */
export function openingAt({ opener, anchor }: Opener, at: number, tag: Tag | undefined): Opening {
  const start = at - anchor;
  return { opener, at: start, end: tag?.end ?? start + opener.length, tag };
}

/** What is read at an opening; undefined: no call, or only a part of one. Where its end is in doubt it has no calls, and nothing behind it has. */
export function readAt(source: Source, { grammar, anchor }: Opener, opening: Opening): Reading | undefined {
  const reading = grammar.read(source, opening);
  if (reading === undefined || reading.end <= opening.at + anchor || isHalf(source, reading)) return undefined;
  return grammar.delimited && isDoubtful(source, opening.at, reading)
    ? { calls: [], end: source.text.length }
    : reading;
}

const NAMESPACES = ['', 'antml:', '|DSML|'];

/** What opens and what closes a value. */
const VALUES: readonly (readonly [open: string, close: string])[] = [
  ...[...NAMESPACES.map((space) => `${space}parameter`), 'arg_value'].map(
    (name) => [`<${name}`, `</${name}>`] as const,
  ),
  ['<|"|>', '<|"|>'],
];

/** Whether values end in more than one place: one of their closing tags is left over, or a call within a value swallows the value's own. */
function isDoubtful(source: Source, at: number, { calls, end, cut }: Reading): boolean {
  if (source.text[at] !== '<') return false;
  const value = firstValue(source, at, end);
  if (value === undefined) return false;
  const [open, close] = value.tags;
  if (cut !== undefined) return calls.length === 0 && source.find(close, value.at) >= 0 && opensCall(source, value.at);
  if (calls.every(({ arguments: given }) => given.type !== 'texts')) return false;
  const from = skipStray(source, end);
  const left = source.find(close, from);
  return left >= 0 && isBefore(left, source.find(open, from));
}

/** The first value between two places: where it opens, and the tags around it. */
function firstValue(source: Source, from: number, to: number) {
  const all = VALUES.map((tags) => ({ tags, at: source.find(tags[0], from) })).filter(({ at }) => at >= 0 && at < to);
  return all.sort((a, b) => a.at - b.at)[0];
}

const isBefore = (a: number, b: number): boolean => b < 0 || a < b;

/** Whether the tag of a call stands behind a place. */
function opensCall(source: Source, from: number): boolean {
  return CALLS.some((opener) => source.find(opener, from) >= 0);
}

const CALLS = [...NAMESPACES.map((space) => `<${space}invoke name=`), '<function=', 'call:'];

/** Whether the arguments of the last call, or its code, stand behind what was read: a format that is not known. */
function isHalf(source: Source, { calls, end }: Reading): boolean {
  const last = calls.at(-1);
  if (last === undefined || source.text[source.space(end)] !== '<') return false;
  const [, name] = BEHIND.exec(source.text.slice(source.space(end)).slice(0, 40)) ?? [];
  return name === 'code' || (name !== undefined && isEmpty(last));
}

const BEHIND =
  /^<((?:tool|action|function)[_-]?(?:input|args|arguments|parameters|params)|arguments|args|parameters|params|input|code)\b[^<]*>/;

function isEmpty({ arguments: given }: Spoken): boolean {
  if (given.type === 'texts') return given.entries.length === 0;
  if (given.type === 'raw') return given.text === '';
  if (given.type === 'positions') return given.values.length === 0 && Object.keys(given.named).length === 0;
  return typeof given.value === 'object' && given.value !== null && Object.keys(given.value).length === 0;
}
