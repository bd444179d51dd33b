// Tags and special tokens between `<` and `>`, as models spell and misspell them.
import type { Source } from './source.ts';

export interface Tag {
  /** Without slash and namespace, in ASCII: `invoke`, `tool_call`, `|tool_call_begin|`. */
  readonly name: string;
  /** What stood before the name: `antml`, `DSML`, `minimax`; '' if nothing did. */
  readonly space: string;
  readonly closes: boolean;
  /** Whether it ends with `/>`. */
  readonly empty: boolean;
  /** What follows the name. */
  readonly rest: string;
  readonly end: number;
  /** It was spelled otherwise than its model's template does. */
  readonly respelled: boolean;
}

/** Longer tags are none. */
const LONGEST = 600;

/** Marks of DeepSeek's and GigaChat's namespaces, with doubled bars and blanks. */
const MARKS = /^\s*\|+\s*(DSML|GCML)\s*\|+\s*/i;

/** The tag that begins at `at` (a `<`); undefined if none does. A line break or another `<` ends the search, except within quotes. */
export function tagAt(source: Source, at: number): Tag | undefined {
  const end = endOf(source.flat, at);
  if (end < 0) return undefined;
  let inner = source.flat.slice(at + 1, end);
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
    } else if (c === 62) return i;
    else if (c === 60 || c === 10) return -1;
    else if (c === 34 && flat.charCodeAt(i - 1) === 61) quote = c;
  }
  return quote === 0 ? -1 : flat.indexOf('>', at) > limit ? -1 : bareEnd(flat, at, limit);
}

/** A tag whose quote never closes ends at its first `>`. */
function bareEnd(flat: string, at: number, limit: number): number {
  const end = flat.indexOf('>', at);
  return end < 0 || end >= limit || flat.slice(at + 1, end).includes('<') ? -1 : end;
}

function marked(inner: string, [all, space = '']: RegExpExecArray, closes: boolean, end: number): Tag {
  const respelled = all !== `|${space}|`;
  return { ...plain(inner, closes, end), space, name: NAME.exec(inner.trimStart())?.[0] ?? '', respelled };
}

const NAME = /^[^\s=>/"'{(<]+/;

function plain(inner: string, closes: boolean, end: number): Tag {
  const trimmed = inner.trimStart();
  const word = NAME.exec(trimmed)?.[0] ?? '';
  const colon = word.lastIndexOf(':');
  const empty = trimmed.endsWith('/');
  return {
    name: word.slice(colon + 1),
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
  return { name, space: '', closes, empty: false, rest: '', end, respelled: name !== inner };
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
