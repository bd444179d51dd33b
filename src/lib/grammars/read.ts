// What stands at an opener, for those who look at a text as a whole and as it grows.
import type { Opener } from './openers.ts';
import type { Source } from './source.ts';
import type { Tag } from './tag.ts';
import type { Opening, Reading, Spoken } from './types.ts';

/** Where an opener stands that is known by the character at `at`. */
export function openingAt({ opener, anchor }: Opener, at: number, tag: Tag | undefined): Opening {
  const start = at - anchor;
  return { opener, at: start, end: tag?.end ?? start + opener.length, tag };
}

/** What is read at an opening; undefined: no call, or only a part of one. */
export function readAt(source: Source, { grammar, anchor }: Opener, opening: Opening): Reading | undefined {
  const reading = grammar.read(source, opening);
  return reading && reading.end > opening.at + anchor && !isHalf(source, reading) ? reading : undefined;
}

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
