// Where a text is cut before its bytes are merged. These are the encodings' own regular expressions, as scanners: linear, and without strings.
// https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
import { LETTER, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER } from './classes.ts';

/** UTF-8, and the kind of each code point. */
interface Text {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly kinds: Uint8Array;
}

/** The end of the piece that begins at `start`. */
export type Scan = (text: Text, start: number) => number;

/** A character's kind, and its bytes times 8. Beyond the end: of no kind. */
function look({ bytes, length, kinds }: Text, at: number): number {
  if (at >= length) return END;
  const first = bytes[at] as number;
  if (first < 0x80) return (kinds[first] as number) | 8;
  const second = (bytes[at + 1] as number) & 63;
  if (first < 0xe0) return (kinds[((first & 31) << 6) | second] as number) | 16;
  const third = (bytes[at + 2] as number) & 63;
  if (first < 0xf0) return (kinds[((first & 15) << 12) | (second << 6) | third] as number) | 24;
  const fourth = (bytes[at + 3] as number) & 63;
  return (kinds[((first & 7) << 18) | (second << 12) | (third << 6) | fourth] as number) | 32;
}

const END = 15 << 8;
const kindAt = (seen: number): number => (seen === END ? -1 : seen & 7);
const widthOf = (seen: number): number => seen >> 3;

const isLetter = (kind: number): boolean => kind === LOWER || kind === UPPER || kind === LETTER;
/** What may stand before the letters of a word and belong to it: anything but letters, numbers and line ends. */
const isPrefix = (kind: number): boolean => kind === OTHER || kind === MARK || kind === SPACE;

/** A run of characters of some kinds, as a set of bits. */
function run(text: Text, from: number, kinds: number): number {
  let at = from;
  for (;;) {
    const seen = look(text, at);
    if (seen === END || ((1 << (seen & 7)) & kinds) === 0) return at;
    at += seen >> 3;
  }
}

const LETTERS = (1 << UPPER) | (1 << LOWER) | (1 << LETTER);
const LOWERS = (1 << LOWER) | (1 << LETTER) | (1 << MARK);
const SYMBOLS = (1 << OTHER) | (1 << MARK);

/** The length of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in any case, or 0. */
function contraction({ bytes, length }: Text, at: number): number {
  if (at + 1 >= length || bytes[at] !== 39) return 0;
  const first = bytes[at + 1] as number;
  // The long s, U+017F, is an s in another case.
  if (first === 0xc5) return bytes[at + 2] === 0xbf ? 3 : 0;
  if (first > 0x7f) return 0;
  const a = first | 32;
  if (a === 115 || a === 116 || a === 109 || a === 100) return 2;
  if (at + 2 >= length || (bytes[at + 2] as number) > 0x7f) return 0;
  const b = (bytes[at + 2] as number) | 32;
  return ((a === 114 || a === 118) && b === 101) || (a === 108 && b === 108) ? 3 : 0;
}

/** Words are cut where their case changes; a contraction belongs to its word. */
export function scanO200k(text: Text, start: number): number {
  const first = look(text, start);
  const kind = kindAt(first);
  if (kind === NUMBER) return digits(text, start);
  if (kind !== NEWLINE) {
    const after = start + widthOf(first);
    const prefixed = isPrefix(kind);
    // Without its prefix, what is no letter can only be a mark.
    const bare = !prefixed || kind === MARK;
    let end = prefixed ? endsLower(text, after) : -1;
    if (end < 0 && bare) end = endsLower(text, start);
    if (end < 0 && prefixed) end = endsUpper(text, after);
    if (end < 0 && bare) end = endsUpper(text, start);
    if (end >= 0) return end + contraction(text, end);
  }
  return rest(text, start, true);
}

/** A word with lower-case letters at its end; -1 if there is none. */
function endsLower(text: Text, start: number): number {
  let at = start;
  let lastCaseless = -1;
  for (;;) {
    const seen = look(text, at);
    const kind = kindAt(seen);
    if (kind === UPPER) at += widthOf(seen);
    else if (kind === LETTER || kind === MARK) lastCaseless = at += widthOf(seen);
    else return kind === LOWER ? run(text, at, LOWERS) : lastCaseless;
  }
}

/** A word that begins in upper case; -1 if there is none. Only asked for where `endsLower` found nothing, so all of it is upper case. */
function endsUpper(text: Text, start: number): number {
  const end = run(text, start, 1 << UPPER);
  return end > start ? end : -1;
}

export function scanCl100k(text: Text, start: number): number {
  const short = contraction(text, start);
  if (short > 0) return start + short;
  const first = look(text, start);
  const kind = kindAt(first);
  if (kind === NUMBER) return digits(text, start);
  const after = start + widthOf(first);
  if (isLetter(kind)) return run(text, after, LETTERS);
  if (isPrefix(kind)) {
    const end = run(text, after, LETTERS);
    if (end > after) return end;
  }
  return rest(text, start, false);
}

/** At most three digits. */
function digits(text: Text, start: number): number {
  let at = start;
  for (let i = 0; i < 3; i++) {
    const seen = look(text, at);
    if (kindAt(seen) !== NUMBER) break;
    at += widthOf(seen);
  }
  return at;
}

/** Symbols, with a space before and line ends (and slashes) after them; or white space. */
function rest(text: Text, start: number, slashes: boolean): number {
  const { bytes, length } = text;
  const from = bytes[start] === 32 ? start + 1 : start;
  const symbols = run(text, from, SYMBOLS);
  if (symbols > from) {
    let end = symbols;
    while (end < length && (bytes[end] === 10 || bytes[end] === 13 || (slashes && bytes[end] === 47))) end++;
    return end;
  }
  return whiteSpace(text, start);
}

/** To the last line end; else, before a word, all but the last character, which belongs to the word. */
function whiteSpace(text: Text, start: number): number {
  let at = start;
  let lastNewline = -1;
  let lastStart = start;
  for (;;) {
    const seen = look(text, at);
    const kind = kindAt(seen);
    if (kind !== SPACE && kind !== NEWLINE) break;
    lastStart = at;
    at += widthOf(seen);
    if (kind === NEWLINE) lastNewline = at;
  }
  if (lastNewline >= 0) return lastNewline;
  return at < text.length && lastStart > start ? lastStart : at;
}
