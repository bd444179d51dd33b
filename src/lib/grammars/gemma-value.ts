// Gemma's own object syntax: `{k:<|"|>v<|"|>,n:1,list:[true,null],o:{…}}`. https://ai.google.dev/gemma/docs/functiongemma
import type { Json } from '../json/values.ts';
import { endOfString } from './extent.ts';
import { parseJson } from './json.ts';
import { type Source, skipSpace } from './source.ts';

interface GemmaValue {
  readonly value: Json;
  readonly end: number;
  readonly mended: boolean;
}

/** The marks that stand for quotes: Gemma's, FunctionGemma's and, where it leaks, Gemini's. */
const QUOTES = ['<|"|>', '<escape>', '<ctrl46>'];
const DEEPEST = 64;

/** Reads the object at `at`. undefined: it is none. `cut`: the text ends within it. */
export function readGemmaObject(
  source: Source,
  at: number,
  closers: readonly string[],
): GemmaValue | 'cut' | undefined {
  const reader = new Reader(source, closers);
  const found = reader.object(at, 0);
  if (found) return { ...found, mended: reader.mended };
  return reader.cut ? 'cut' : undefined;
}

interface Piece<T = Json> {
  readonly value: T;
  readonly end: number;
}

class Reader {
  readonly #source: Source;
  readonly #text: string;
  readonly #closers: readonly string[];
  mended = false;
  cut = false;

  constructor(source: Source, closers: readonly string[]) {
    this.#source = source;
    this.#text = source.text;
    this.#closers = closers;
  }

  object(at: number, depth: number): Piece | undefined {
    if (this.#text[at] !== '{' || depth > DEEPEST) return undefined;
    const entries: [string, Json][] = [];
    for (let i = skipSpace(this.#text, at + 1); ; ) {
      if (this.#text[i] === '}') return { value: Object.fromEntries(entries), end: i + 1 };
      if (this.#closes(i) && entries.length > 0) return this.#mend({ value: Object.fromEntries(entries), end: i });
      const key = this.#key(i);
      const value = key && this.#value(skipSpace(this.#text, key.end), depth + 1);
      if (key === undefined || value === undefined) return undefined;
      entries.push([key.value, value.value]);
      i = this.#comma(value.end);
    }
  }

  #list(at: number, depth: number): Piece | undefined {
    const items: Json[] = [];
    for (let i = skipSpace(this.#text, at + 1); ; ) {
      if (this.#text[i] === ']') return { value: items, end: i + 1 };
      if (this.#closes(i) && items.length > 0) return this.#mend({ value: items, end: i });
      const item = this.#value(i, depth + 1, true);
      if (item === undefined) return undefined;
      items.push(item.value);
      i = this.#comma(item.end);
    }
  }

  #comma(at: number): number {
    const i = skipSpace(this.#text, at);
    return this.#text[i] === ',' ? skipSpace(this.#text, i + 1) : i;
  }

  #closes(at: number): boolean {
    return this.#source.oneOf(this.#closers, at) !== undefined;
  }

  #mend<T>(found: T): T {
    this.mended = true;
    return found;
  }

  /** A key with its colon; an equals sign does too. */
  #key(at: number): Piece<string> | undefined {
    const quoted = this.#quoted(at) ?? this.#jsonString(at);
    KEY.lastIndex = quoted?.end ?? at;
    const match = quoted ? COLON_AT(this.#text, quoted.end) : KEY.exec(this.#text);
    if (match === null) {
      this.cut ||= this.#text.length - at < 100 && !/[}\]]/.test(this.#text.slice(at));
      return undefined;
    }
    return { value: quoted?.value ?? match[1] ?? '', end: (quoted?.end ?? at) + match[0].length };
  }

  #value(at: number, depth: number, listed = false): Piece | undefined {
    const c = this.#text[at];
    if (c === undefined) this.cut = true;
    if (c === '{') return this.object(at, depth);
    if (c === '[' && depth <= DEEPEST) return this.#list(at, depth);
    const quoted = this.#quoted(at);
    if (this.cut) return undefined;
    return quoted ?? this.#jsonString(at) ?? this.#bare(at, listed);
  }

  /** A string between Gemma's marks, as it stands. Where the second is missing, it ends as a bare text does. */
  #quoted(at: number): Piece<string> | undefined {
    const mark = this.#source.oneOf(QUOTES, at);
    if (mark === undefined) return undefined;
    const from = at + mark.length;
    const close = this.#source.find(mark, from);
    if (close >= 0 && !this.#opensNext(from, close, mark)) {
      const value = this.#text.slice(from, close);
      this.cut ||=
        value.includes('call:') && !/^\s*(?:[,:}\]]|$)/.test(this.#text.slice(close + mark.length, close + 40));
      return this.cut ? undefined : { value, end: close + mark.length };
    }
    const bare = this.#bareEnd(from);
    if (bare === undefined) {
      this.cut = true;
      return undefined;
    }
    return this.#mend({ value: this.#text.slice(from, bare).replace(/["']\s*$/, ''), end: bare });
  }

  /** Whether a mark opens the next value: a key stands before it, and nothing that ends a value behind it. */
  #opensNext(from: number, mark: number, { length }: string): boolean {
    const before = this.#text.slice(Math.max(from, mark - 120), mark);
    return (
      /,\s*[\p{L}_][\p{L}\p{N}_.-]{0,60}\s*:\s*$/u.test(before) &&
      !/^\s*(?:[,}\]]|$)/.test(this.#text.slice(mark + length, mark + length + 20))
    );
  }

  /** A string in plain quotes, if what follows it can follow a value. */
  #jsonString(at: number): Piece<string> | undefined {
    const c = this.#text.charCodeAt(at);
    if (c !== 34 && c !== 39) return undefined;
    const quote = this.#text[at] ?? '';
    for (let close = endOfString(this.#text, at, c); close >= 0; close = this.#text.indexOf(quote, close + 1)) {
      if (!this.#source.spend(8)) break;
      const mark = this.#source.oneOf(QUOTES, close + 1);
      const end = close + 1 + (mark?.length ?? 0);
      if (!/^\s*(?:[,:}\]]|$)/.test(this.#text.slice(end, end + 20))) continue;
      this.mended = true;
      const inner = this.#text.slice(at + 1, close);
      const parsed = parseJson(`"${inner.replaceAll('\n', '\\n')}"`)?.value;
      return { value: typeof parsed === 'string' ? parsed : inner, end };
    }
    return undefined;
  }

  /** A number, a constant, or text without quotes: up to the next key, or the end of what it stands in. */
  #bare(at: number, listed: boolean): Piece | undefined {
    const end = this.#bareEnd(at, listed);
    if (end === undefined) {
      this.cut = true;
      return undefined;
    }
    const raw = this.#text.slice(at, end).replace(/(?:<\|"\|>|<escape>|<ctrl46>)$/, '');
    const word = raw.trim();
    if (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) return { value: Number(word), end };
    const constant = CONSTANTS.get(word);
    if (constant !== undefined) return { value: constant, end };
    return this.#mend({ value: word, end });
  }

  #bareEnd(at: number, listed = false): number | undefined {
    let depth = 0;
    for (let i = at; i < this.#text.length; i += 1) {
      const c = this.#text[i];
      if (c === '{' || c === '[') depth += 1;
      else if ((c === '}' || c === ']') && depth === 0) return i;
      else if (c === '}' || c === ']') depth -= 1;
      else if (c === ',' && depth === 0 && (listed || this.#nextBegins(i + 1))) return i;
      else if (c === '<' && this.#closes(i)) return i;
    }
    this.#source.spend(this.#text.length - at);
    return undefined;
  }

  /** Whether a key, or a value that needs no key, follows a comma. */
  #nextBegins(at: number): boolean {
    NEXT.lastIndex = at;
    return NEXT.test(this.#text);
  }
}

const KEY = /([^\s:={}[\],"'<]{1,100})\s*[:=]\s*/y;
const NEXT =
  /\s*(?:["']?[\p{L}_][\p{L}\p{N}_.-]{0,60}["']?\s*:|<\|"\|>|<escape>|<ctrl46>|\{|-?\d+(?:\.\d+)?\s*[,\]])/uy;

function COLON_AT(text: string, at: number): RegExpExecArray | null {
  return /^\s*[:=]\s*()/.exec(text.slice(at, at + 40)) as RegExpExecArray | null;
}

const CONSTANTS = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['True', true],
  ['False', false],
  ['null', null],
  ['None', null],
]);
