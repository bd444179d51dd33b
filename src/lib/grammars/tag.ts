// Tags and special tokens between `<` and `>`, as models spell and misspell them.
import type { Source, Tag } from './source.ts';

/** Longer tags are none. */
const LONGEST = 600;

/** Marks of DeepSeek's and GigaChat's namespaces, with doubled bars and blanks. */
const MARKS = /^\s*\|+\s*(DSML|GCML)\s*\|+\s*/i;

/** The tag that begins at `at` (a `<`); undefined if none does. A line break or another `<` ends the search, except within quotes. */
export function tagAt(source: Source, at: number): Tag | undefined {
  const known = source.lastTag;
  if (known?.at === at) return known.tag;
  const tag = readTag(source.flat, at);
  source.lastTag = { at, tag };
  return tag;
}

function readTag(flat: string, at: number): Tag | undefined {
  const limit = Math.min(flat.length, at + LONGEST);
  let colon = -1;
  for (let i = at + 1; i < limit; i += 1) {
    const c = flat.charCodeAt(i);
    if (c === GREATER) return simple(flat, at, i, colon);
    if (c === COLON) colon = i;
    else if (c >= 128 || SIMPLE[c] !== 1) return otherTag(flat, at);
  }
  return undefined;
}

const [GREATER, COLON, SLASH, BAR] = [62, 58, 47, 124];

/** Characters of tags that are a name, a token, or the end of either. */
const SIMPLE = new Uint8Array(128);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./|') SIMPLE[c.charCodeAt(0)] = 1;

/** A tag without attributes. Most are such. */
function simple(flat: string, at: number, end: number, colon: number): Tag | undefined {
  const closes = flat.charCodeAt(at + 1) === SLASH;
  const start = closes ? at + 2 : at + 1;
  const empty = flat.charCodeAt(end - 1) === SLASH && end - 1 > start;
  if (flat.charCodeAt(start) === BAR) return otherTag(flat, at);
  const from = colon < start ? start : colon + 1;
  const name = flat.slice(from, empty ? end - 1 : end);
  if (name.includes('/')) return otherTag(flat, at);
  const space = colon < start ? '' : flat.slice(start, colon);
  return { name, key: name.toLowerCase(), space, closes, empty, rest: '', end: end + 1, respelled: false };
}

/** A tag with attributes, a token, or one that is misspelled. */
function otherTag(flat: string, at: number): Tag | undefined {
  const end = endOf(flat, at);
  if (end < 0) return undefined;
  let inner = flat.slice(at + 1, end);
  const closes = /^\s*\//.test(inner);
  if (closes) inner = inner.replace(/^\s*\//, '');
  const marks = MARKS.exec(inner);
  if (marks) return marked(inner.slice(marks[0].length), marks, closes, end + 1);
  if (/^\s*\|/.test(inner)) return token(inner, closes, end + 1);
  return plain(inner, closes, end + 1);
}

function endOf(flat: string, at: number): number {
  const limit = Math.min(flat.length, at + LONGEST);
  let quote = 0;
  for (let i = at + 1; i < limit; i += 1) {
    const c = flat.charCodeAt(i);
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === GREATER) return i;
    else if (c === 60 || c === 10) return -1;
    else if (c === 34 && flat.charCodeAt(i - 1) === 61) quote = c;
  }
  return quote === 0 ? -1 : bareEnd(flat, at, limit);
}

/** A tag whose quote never closes ends at its first `>`. */
function bareEnd(flat: string, at: number, limit: number): number {
  const inner = flat.slice(at + 1, limit);
  const end = inner.indexOf('>');
  return end < 0 || inner.lastIndexOf('<', end) >= 0 ? -1 : at + 1 + end;
}

function marked(inner: string, [all, space = '']: RegExpExecArray, closes: boolean, end: number): Tag {
  const respelled = all !== `|${space}|`;
  const name = NAME.exec(inner.trimStart())?.[0] ?? '';
  return { ...plain(inner, closes, end), space, name, key: name.toLowerCase(), respelled };
}

const NAME = /^[^\s=>/"'{(<]+/;

function plain(inner: string, closes: boolean, end: number): Tag {
  const trimmed = inner.trimStart();
  const word = NAME.exec(trimmed)?.[0] ?? '';
  const colon = word.lastIndexOf(':');
  const empty = trimmed.endsWith('/');
  return {
    name: word.slice(colon + 1),
    key: word.slice(colon + 1).toLowerCase(),
    space: colon < 0 ? '' : word.slice(0, colon),
    closes,
    empty,
    rest: trimmed.slice(word.length, empty ? -1 : undefined),
    end,
    respelled: false,
  };
}

/** `|tool_calls_begin|`: bars on both sides, and nothing else. Blanks, doubled bars and escaped underscores are mended. */
function token(inner: string, closes: boolean, end: number): Tag {
  const name = inner
    .trim()
    .replace(/\s*\|+\s*/g, '|')
    .replace(/\\_|\s+/g, '_');
  return { name, key: name.toLowerCase(), space: '', closes, empty: false, rest: '', end, respelled: name !== inner };
}

const ATTRIBUTE = /(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** The attributes of a tag. A value with an unclosed quote runs to the end. */
export function attributesOf({ rest }: Tag): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, key = '', double, single, bare] of rest.matchAll(ATTRIBUTE))
    found.set(key, double ?? single ?? bare ?? '');
  if (found.size === 0) {
    const open = /([\w.:-]+)\s*=\s*["']?([^"']*)/.exec(rest);
    if (open?.[1]) found.set(open[1], open[2] ?? '');
  }
  return found;
}

/** The name that a tag gives: `<invoke name="f">`, `<function=f>`, `<function="f">`. */
export function nameOf(tag: Tag): string | undefined {
  const equals = /^\s*=\s*(.*)$/s.exec(tag.rest)?.[1];
  if (equals !== undefined) return equals.trim();
  return attributesOf(tag).get('name');
}

const ENTITIES: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** XML's entities and character references, decoded. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g, (all, name, dec, hex) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const value = Number.parseInt(dec ?? hex, dec === undefined ? 16 : 10);
    return value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : all;
  });
}
