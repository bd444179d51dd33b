// Python literals and calls with literal arguments, read and never evaluated. https://docs.python.org/3/reference/lexical_analysis.html
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import { readNumber, readString, wordAt } from './lexer.ts';
import { skipSpace } from './source.ts';

interface Literal {
  readonly value: Json;
  readonly end: number;
  /** A key stands without quotes: Python has no such thing. */
  readonly bare?: boolean;
}

export interface LiteralCall {
  readonly name: string;
  readonly values: readonly Json[];
  readonly named: JsonObject;
  readonly end: number;
}

const DEEPEST = 64;
const LONGEST_COMMENT = 1000;

/** The literal at `at`: a string, number, name of a constant, list, tuple, set or dict. undefined: there is none, or it is not whole. */
export function readLiteral(text: string, at: number): Literal | undefined {
  const reader = new Reader(text, false);
  const found = reader.value(at, 0);
  return found && { ...found, bare: reader.bare };
}

/**
 * The call `name(…)` at `at`. Arguments are literals; a bare name stands for itself and a call for its source. `loose`: a quote that
 * nothing but more text follows belongs to its string. `reach` is how far the text was looked at.
 */
export function readCall(text: string, at: number, loose = false): { call?: LiteralCall; reach: number } {
  const reader = new Reader(text, loose);
  const call = reader.call(at, 0);
  return { call, reach: reader.reach };
}

const WORDS: { readonly [word: string]: Json } = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
  undefined: null,
};

class Reader {
  readonly #text: string;
  readonly #loose: boolean;
  reach = 0;
  bare = false;

  constructor(text: string, loose: boolean) {
    this.#text = text;
    this.#loose = loose;
  }

  value(at: number, depth: number): Literal | undefined {
    if (depth > DEEPEST) return undefined;
    const text = this.#text;
    const c = text[at];
    if (c === '[') return this.#list(at, ']', depth);
    if (c === '(') return this.#tuple(at, depth);
    if (c === '{') return this.#braces(at, depth);
    const string = readString(text, at, this.#loose);
    if (string) return this.#joined(string);
    const number = readNumber(text, at);
    if (number) return number;
    const word = wordAt(text, at);
    return Object.hasOwn(WORDS, word) ? { value: WORDS[word] ?? null, end: at + word.length } : undefined;
  }

  /** Strings that stand beside each other are one. */
  #joined(first: { value: string; end: number }): Literal {
    let { value, end } = first;
    for (;;) {
      const next = readString(this.#text, skipSpace(this.#text, end), this.#loose);
      if (next === undefined) return { value, end };
      value += next.value;
      end = next.end;
    }
  }

  #list(at: number, close: string, depth: number): Literal | undefined {
    const items: Json[] = [];
    for (let i = this.#space(at + 1); ; ) {
      if (this.#text[i] === close) return { value: items, end: i + 1 };
      const item = this.value(i, depth + 1);
      if (item === undefined) return undefined;
      items.push(item.value);
      i = this.#space(item.end);
      if (this.#text[i] === ',') i = this.#space(i + 1);
      else if (this.#text[i] !== close) return undefined;
    }
  }

  /** One value in parentheses is that value; a comma makes it a tuple. */
  #tuple(at: number, depth: number): Literal | undefined {
    const found = this.#list(at, ')', depth);
    if (found === undefined || !Array.isArray(found.value) || found.value.length !== 1) return found;
    const alone = !/,\s*\)$/.test(this.#text.slice(Math.max(at, found.end - 40), found.end));
    return alone ? { value: found.value[0] ?? null, end: found.end } : found;
  }

  /** A dict, or a set: keys may stand without quotes. */
  #braces(at: number, depth: number): Literal | undefined {
    const entries: [string, Json][] = [];
    for (let i = this.#space(at + 1); ; ) {
      if (this.#text[i] === '}') return { value: Object.fromEntries(entries), end: i + 1 };
      const key = this.#key(i, depth);
      const colon = key && this.#space(key.end);
      if (key === undefined || colon === undefined) return undefined;
      if (this.#text[colon] !== ':') return entries.length === 0 ? this.#set(at, depth) : undefined;
      const value = this.value(this.#space(colon + 1), depth + 1);
      if (value === undefined) return undefined;
      entries.push([key.name, value.value]);
      i = this.#space(value.end);
      if (this.#text[i] === ',') i = this.#space(i + 1);
      else if (this.#text[i] !== '}') return undefined;
    }
  }

  /** A set as a list. One of a single dict cannot be: its braces are doubled. */
  #set(at: number, depth: number): Literal | undefined {
    const found = this.#list(at, '}', depth);
    const [only, ...others] = Array.isArray(found?.value) ? found.value : [];
    if (found === undefined || others.length > 0 || !isObject(only)) return found;
    this.bare = true;
    return { value: only, end: found.end };
  }

  #key(at: number, depth: number): { name: string; end: number } | undefined {
    const value = this.value(at, depth + 1);
    if (value !== undefined)
      return { name: typeof value.value === 'string' ? value.value : String(value.value), end: value.end };
    const word = wordAt(this.#text, at);
    if (word === '') return undefined;
    this.bare = true;
    return { name: word, end: at + word.length };
  }

  call(at: number, depth: number): LiteralCall | undefined {
    const name = nameAt(this.#text, at);
    if (name === '' || this.#text[at + name.length] !== '(') return undefined;
    const values: Json[] = [];
    const named: [string, Json][] = [];
    for (let i = this.#space(at + name.length + 1); ; ) {
      if (this.#text[i] === ')') return { name, values, named: Object.fromEntries(named), end: i + 1 };
      const spread = this.#text.startsWith('**{', i) ? this.#braces(i + 2, depth) : undefined;
      if (spread) {
        named.push(
          ...Object.entries(spread.value as JsonObject).map(([key, value]): [string, Json] => [key, value ?? null]),
        );
        i = this.#space(spread.end);
        if (this.#text[i] === ',') i = this.#space(i + 1);
        continue;
      }
      const key = wordAt(this.#text, i);
      const equals = key === '' ? i : this.#space(i + key.length);
      const keyed = key !== '' && this.#text[equals] === '=' && this.#text[equals + 1] !== '=';
      const value = this.#argument(keyed ? this.#space(equals + 1) : i, depth);
      if (value === undefined || (!keyed && named.length > 0)) return undefined;
      if (keyed) named.push([key, value.value]);
      else values.push(value.value);
      i = this.#space(value.end);
      if (this.#text[i] === ',') i = this.#space(i + 1);
      else if (this.#text[i] !== ')') return undefined;
    }
  }

  /** A literal; else a bare name, or the source of a call. */
  #argument(at: number, depth: number): Literal | undefined {
    const literal = this.value(at, depth + 1);
    const after = literal && this.#text[this.#space(literal.end)];
    if (literal && (after === ',' || after === ')')) return literal;
    const name = nameAt(this.#text, at);
    if (name === '' || depth > DEEPEST) return undefined;
    const end = at + name.length;
    if (this.#text[end] !== '(') return { value: name, end };
    const inner = this.call(at, depth + 1);
    return inner && { value: this.#text.slice(at, inner.end), end: inner.end };
  }

  /** The next place that is neither white space nor a comment. */
  #space(at: number): number {
    let i = skipSpace(this.#text, at);
    while (this.#text[i] === '#') {
      const line = this.#text.slice(i, i + LONGEST_COMMENT).indexOf('\n');
      if (line < 0) break;
      i = skipSpace(this.#text, i + line);
    }
    if (i > this.reach) this.reach = i;
    return i;
  }
}

/** The name of a tool at `at`, or '': wider than Python's, since tools' names are. */
export function nameAt(text: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? '';
}

const NAME = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.\-/]|::)*/uy;

/** Where the name that ends at `end` begins; `end` if none does. */
export function nameStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < 200 && /[\p{L}\p{N}_$.\-/:]/u.test(text[start - 1] ?? '')) start -= 1;
  return start;
}
