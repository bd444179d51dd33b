// Calls as a name and pairs of tags: `f<arg_key>k</arg_key><arg_value>v</arg_value>`.
import type { Body, ReadBody } from './body.ts';
import { asArguments, parseLiteral, valueAt } from './json.ts';
import { nameAt } from './literal.ts';
import { stripped } from './parameter.ts';
import type { Source } from './source.ts';
import type { Repair, Spoken, TextArgument } from './types.ts';

/** The tags of one family. */
export interface PairTags {
  readonly key: string;
  readonly keyEnd: string;
  readonly value: string;
  readonly valueEnd: string;
  /** Between the name and the first pair. */
  readonly separator?: string;
  /** Around a type that stands between key and value. */
  readonly type?: string;
  readonly typeEnd?: string;
  /** Strings may be written as JSON. */
  readonly quoted?: true;
}

export const GLM_TAGS: PairTags = {
  key: '<arg_key>',
  keyEnd: '</arg_key>',
  value: '<arg_value>',
  valueEnd: '</arg_value>',
  separator: '<tool_sep>',
  quoted: true,
};

/** A call has no more arguments than this. */
const MOST = 1000;

/** Names longer than this are none. */
const LONGEST = 200;

/** A body of one call in these tags. */
export function pairBody(tags: PairTags): ReadBody {
  return (source, at, closers) => new PairReader(source, tags, closers).read(at);
}

class PairReader {
  readonly #source: Source;
  readonly #tags: PairTags;
  readonly #closers: readonly string[];
  readonly #repairs: Repair[] = [];

  constructor(source: Source, tags: PairTags, closers: readonly string[]) {
    this.#source = source;
    this.#tags = tags;
    this.#closers = closers;
  }

  read(at: number): Body | undefined {
    const head = this.#head(at);
    if (head === undefined) return undefined;
    const entries: TextArgument[] = head.key === undefined ? [] : [head.key];
    let { end } = head;
    for (;;) {
      const pair = this.#pair(this.#source.space(end));
      if (pair === undefined) break;
      if (pair === 'cut') return this.#cut(at, head.name, entries, end);
      entries.push(pair.entry);
      ({ end } = pair);
      if (entries.length > MOST) return this.#tooMany(at, end);
    }
    if (entries.length > 0) return this.#call(head.name, { type: 'texts', entries }, end);
    return this.#withoutPairs(head.name, end);
  }

  /** Reading so much again from every opener would not stay linear: what it costs is counted. */
  #tooMany(at: number, end: number): undefined {
    this.#source.spend(16 * (end - at));
  }

  #call(name: string, given: Spoken['arguments'], end: number): Body {
    return { calls: [{ name, arguments: given, repairs: this.#repairs }], end };
  }

  #cut(at: number, name: string, entries: readonly TextArgument[], end: number): Body {
    const { text } = this.#source;
    if (!this.#source.salvage) return { calls: [], end: text.length, cut: at };
    const rest = text.slice(end).trim();
    const { key, keyEnd, value } = this.#tags;
    const [name_ = '', ...more] = rest.startsWith(key) ? rest.slice(key.length).split(keyEnd) : [''];
    const last = { key: name_.trim(), text: more.join(keyEnd).trim().replace(value, '') };
    const all = more.length > 0 && last.key !== '' ? [...entries, last] : entries;
    this.#repairs.push('arguments cut off');
    return { ...this.#call(name, { type: 'texts', entries: all }, text.length), cut: at };
  }

  /** The name: up to the first tag or the end of the line. A key glued to the name of a tool is split off it. */
  #head(at: number): { name: string; end: number; key?: TextArgument } | undefined {
    const { flat, text } = this.#source;
    const start = this.#source.space(at);
    const limit = Math.min(flat.length, start + LONGEST);
    let end = start;
    while (end < limit && flat[end] !== '<' && flat[end] !== '\n') end += 1;
    if (end >= start + LONGEST || end === start) return undefined;
    const name = text.slice(start, end).trim();
    if (this.#source.has(this.#tags.keyEnd, end)) return this.#glued(name, end + this.#tags.keyEnd.length);
    const { separator } = this.#tags;
    const after = this.#source.space(end);
    return { name, end: separator && this.#source.has(separator, after) ? after + separator.length : end };
  }

  #glued(text: string, end: number) {
    const name = this.#source.tools.startOf(text);
    const value = name === undefined ? undefined : this.#value(this.#source.space(end));
    if (name === undefined || value === undefined || value === 'cut') return undefined;
    this.#repairs.push('opening tag missing');
    return { name, end: value.end, key: { key: text.slice(name.length).trim(), text: value.text } };
  }

  #pair(at: number): { entry: TextArgument; end: number } | 'cut' | undefined {
    const { key, keyEnd, value, type, typeEnd } = this.#tags;
    const { text } = this.#source;
    if (!this.#source.has(key, at)) return undefined;
    const from = at + key.length;
    const close = this.#source.find(keyEnd, from);
    const next = value === '' ? -1 : this.#source.find(value, from);
    const closed = close >= 0 && (next < 0 || close < next);
    if (!closed && next < 0) return 'cut';
    if (!closed) this.#repairs.push('closing tag missing');
    const name = text.slice(from, closed ? close : next).trim();
    let end = closed ? this.#source.space(close + keyEnd.length) : next;
    let typed: string | undefined;
    if (type && typeEnd && this.#source.has(type, end)) {
      const stop = this.#source.find(typeEnd, end);
      if (stop < 0) return 'cut';
      typed = text.slice(end + type.length, stop).trim();
      end = this.#source.space(stop + typeEnd.length);
    }
    const found = this.#value(end);
    if (found === undefined || found === 'cut') return 'cut';
    const said = typed === undefined ? {} : { type: typed === 'string' ? ('string' as const) : ('json' as const) };
    return {
      entry: { key: name, text: found.text, ...said, ...(this.#tags.quoted && { quoted: true }) },
      end: found.end,
    };
  }

  /** The value and its closing tag. The next key, or the end of the call, ends a value without one. */
  #value(at: number): { text: string; end: number } | 'cut' | undefined {
    const { value, valueEnd, key } = this.#tags;
    const opened = this.#source.has(value, at);
    if (!opened) this.#repairs.push('opening tag missing');
    const from = opened ? at + value.length : at;
    const { text } = this.#source;
    const close = this.#closing(from);
    if (close >= 0) return { text: stripped(text.slice(from, close)), end: close + valueEnd.length };
    const ends = [key, ...this.#closers].map((token) => this.#source.find(token, from)).filter((end) => end >= 0);
    if (ends.length === 0) return 'cut';
    this.#repairs.push('closing tag missing');
    const end = Math.min(...ends);
    return { text: stripped(text.slice(from, end)), end };
  }

  /**
   * The closing tag behind which a key or the end of the call follows, past those of values within the value; -1 if another key comes before
   * it.
   */
  #closing(from: number): number {
    const { valueEnd, value, key } = this.#tags;
    let [first, inner] = [-1, -1];
    let depth = 0;
    let open = value === '' ? -1 : this.#source.find(value, from);
    for (let close = this.#source.find(valueEnd, from); close >= 0; close = this.#source.find(valueEnd, close + 1)) {
      if (!this.#source.spend(16)) return -1;
      for (; open >= 0 && open < close; open = this.#source.find(value, open + 1)) depth += 1;
      const next = this.#source.space(close + valueEnd.length);
      const ends =
        next >= this.#source.text.length || this.#source.has(key, next) || this.#source.oneOf(this.#closers, next);
      if (ends && depth === 0) return close;
      if (ends && inner < 0) inner = close;
      if (first < 0) first = close;
      depth = Math.max(0, depth - 1);
    }
    if (inner < 0) return first;
    return this.#opensAgain(from, inner, value) ? -1 : inner;
  }

  /** Whether a pair begins between the two places: the value before it has no closing tag. */
  #opensAgain(from: number, to: number, value: string): boolean {
    const { key, keyEnd } = this.#tags;
    const open = this.#source.find(key, from);
    if (open < 0 || open > to) return false;
    const close = this.#source.find(keyEnd, open);
    return close >= 0 && close < to && this.#source.has(value, this.#source.space(close + keyEnd.length));
  }

  /** A name alone, `f: {…}`, `f\n{…}` or `f k=v k=v`. */
  #withoutPairs(name: string, end: number): Body | undefined {
    const { source, closers } = { source: this.#source, closers: this.#closers };
    const json = /^([^\s:{]+)\s*:?\s*\{/.exec(name);
    const brace = json ? source.find('{', end - name.length) : source.space(end);
    if (source.text[brace] === '{') {
      const found = valueAt(source, brace, closers);
      const called = json?.[1] ?? name;
      if ('type' in found || !this.#isName(called)) return undefined;
      return this.#call(called, { type: 'json', value: asArguments(found.value) }, found.end);
    }
    const words = /^(\S+)((?:\s+[\w.-]+=(?:"[^"]*"|'[^']*'|\S+))+)$/.exec(name);
    if (words?.[1] && words[2] && this.#isName(words[1]))
      return this.#call(words[1], { type: 'texts', entries: wordPairs(words[2]) }, end);
    const next = source.space(end);
    if (source.oneOf(closers, next) === undefined || nameAt(name, 0) !== name) return undefined;
    return this.#call(name, { type: 'json', value: {} }, end);
  }

  /** Whether a word can be a tool's name: one of the conversation's, or at least no word of a header. */
  #isName(word: string): boolean {
    if (this.#source.tools.resolve(word)?.tool !== undefined) return true;
    return nameAt(word, 0) === word && !/^(?:assistant|commentary|analysis)$/.test(word);
  }
}

function wordPairs(text: string): TextArgument[] {
  return [...text.matchAll(/([\w.-]+)=("[^"]*"|'[^']*'|\S+)/g)].map(([, key = '', value = '']) => {
    const quoted = /^["']/.test(value) ? parseLiteral(value)?.value : undefined;
    return typeof quoted === 'string' ? { key, text: quoted, type: 'string' } : { key, text: value };
  });
}
