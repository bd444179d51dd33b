// The smallest pieces of Python literals: strings, numbers, words.

interface Piece<T> {
  readonly value: T;
  readonly end: number;
}

/** The word (letters, digits, `_`) at `at`, or ''. */
export function wordAt(text: string, at: number): string {
  WORD.lastIndex = at;
  return WORD.exec(text)?.[0] ?? '';
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;

export function readNumber(text: string, at: number): Piece<number> | undefined {
  NUMBER.lastIndex = at;
  const match = NUMBER.exec(text);
  if (match === null || /[\p{L}\p{N}_]/u.test(text[NUMBER.lastIndex] ?? '')) return undefined;
  return { value: Number(match[0].replaceAll('_', '').replace(/^\+/, '')), end: NUMBER.lastIndex };
}

const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y;

const START = /([rRbBuUfF]{0,2})("""|'''|"|')/y;

/** The string at `at`, unescaped unless it is raw. `loose`: it ends at the first quote that can end it by what follows. */
export function readString(text: string, at: number, loose = false): Piece<string> | undefined {
  START.lastIndex = at;
  const match = START.exec(text);
  if (match === null) return undefined;
  const [all, prefix = '', quote = ''] = match;
  const from = at + all.length;
  const close = loose && quote.length === 1 ? looseEnd(text, from, quote) : strictEnd(text, from, quote);
  if (close < 0) return undefined;
  const inner = text.slice(from, close);
  return { value: /r/i.test(prefix) ? inner : unescapePython(inner), end: close + quote.length };
}

function strictEnd(text: string, from: number, quote: string): number {
  for (let i = text.indexOf(quote, from); i >= 0; i = text.indexOf(quote, i + 1)) {
    let slashes = 0;
    while (i - 1 - slashes >= from && text.charCodeAt(i - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return i;
  }
  return -1;
}

/** What can follow a string among arguments: their end, the next argument, or the next item or entry. */
const AFTER = /\s*(?:[)\]}]|,\s*(?:[\p{L}_][\p{L}\p{N}_]*\s*=|["'[{\d)\]}-])|:\s*["'[{\d\p{L}-]|$)/uy;

function looseEnd(text: string, from: number, quote: string): number {
  for (let i = strictEnd(text, from, quote); i >= 0; i = strictEnd(text, i + 1, quote)) {
    AFTER.lastIndex = i + 1;
    if (AFTER.test(text)) return i;
  }
  return -1;
}

const ESCAPES: { readonly [c: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  0: '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
  '/': '/',
};

/** Python's escapes. One that it does not have stands for itself. */
function unescapePython(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.|\n))/gs, (all, u4, u8, x2, c) => {
    const hex = u4 ?? u8 ?? x2;
    if (hex !== undefined) return fromCode(Number.parseInt(hex, 16)) ?? all;
    return ESCAPES[c] ?? all;
  });
}

function fromCode(value: number): string | undefined {
  return value <= 0x10ffff ? String.fromCodePoint(value) : undefined;
}
