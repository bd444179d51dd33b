// Exact counts for OpenAI's encodings: cut into pieces, look each up, merge those that are no token.
import { Merger } from './merge.ts';
import { type Scan, scanCl100k, scanO200k } from './pieces.ts';
import { extend, Ranks } from './ranks.ts';

export type Encoding = 'o200k_base' | 'cl100k_base';

const SCANS: { readonly [name in Encoding]: Scan } = { o200k_base: scanO200k, cl100k_base: scanCl100k };

/** Counts and encodes text. Special tokens in it are text like any other: nobody can smuggle one in. */
export class Encoder {
  readonly #ranks: Ranks;
  readonly #scan: Scan;
  readonly #merger: Merger;
  readonly #counted = new Counted();
  readonly #short = new Short();
  #bytes = Buffer.allocUnsafe(1 << 16);

  /** `file`: the vocabulary as `layOut` makes it. */
  constructor(name: Encoding, file: Uint8Array) {
    this.#ranks = new Ranks(file);
    this.#scan = SCANS[name];
    this.#merger = new Merger(this.#ranks);
  }

  /** How many tokens a text is. */
  count(text: string): number {
    const length = this.#fill(text);
    const bytes = this.#bytes;
    const view = { bytes, length, kinds: this.#ranks.kinds };
    const short = this.#short;
    let count = 0;
    for (let start = 0; start < length; ) {
      const word = plainWord(bytes, start, length);
      const end = word > 0 ? word : this.#scan(view, start);
      if (end - start > 8) count += this.#piece(start, end - start, undefined);
      else {
        let low = 0;
        let high = 0;
        let i = start;
        for (const middle = Math.min(end, start + 4); i < middle; i++) low = (low << 8) | (bytes[i] as number);
        for (; i < end; i++) high = (high << 8) | (bytes[i] as number);
        const slot = short.slot(low, high);
        const known = short.get(slot, low, high, end - start);
        count +=
          known > 0 ? known : short.put(slot, low, high, end - start, this.#piece(start, end - start, undefined));
      }
      start = end;
    }
    return count;
  }

  /** The tokens of a text. */
  encode(text: string): number[] {
    const out: number[] = [];
    this.#run(text, out);
    return out;
  }

  #run(text: string, out?: number[]): number {
    const length = this.#fill(text);
    const view = { bytes: this.#bytes, length, kinds: this.#ranks.kinds };
    let count = 0;
    for (let start = 0; start < length; ) {
      const end = this.#scan(view, start);
      count += this.#piece(start, end - start, out);
      start = end;
    }
    return count;
  }

  /** A lone surrogate becomes U+FFFD, as in every encoder of UTF-8. */
  #fill(text: string): number {
    if (this.#bytes.length < 3 * text.length) {
      const needed = Buffer.byteLength(text);
      if (this.#bytes.length < needed) this.#bytes = Buffer.allocUnsafe(needed * 2);
    }
    return this.#bytes.write(text, 'utf8');
  }

  #piece(start: number, length: number, out: number[] | undefined): number {
    const bytes = this.#bytes;
    let hash = 0;
    if (length <= this.#ranks.longest) {
      for (let i = start; i < start + length; i++) hash = extend(hash, bytes[i] as number);
      const rank = this.#ranks.find(hash, bytes, start, length);
      if (rank >= 0) {
        out?.push(rank);
        return 1;
      }
    }
    if (out) return this.#merger.merge(bytes, start, length, out);
    return (
      this.#counted.get(hash, bytes, start, length) ??
      this.#counted.put(hash, bytes, start, length, this.#merger.merge(bytes, start, length))
    );
  }
}

const LONGEST = 128;
const SLOTS = 1 << 14;
const ARENA = 1 << 20;

/** The counts of pieces merged lately: names come again and again. */
class Counted {
  readonly #hashes = new Int32Array(SLOTS);
  readonly #lengths = new Int32Array(SLOTS);
  readonly #places = new Int32Array(SLOTS);
  readonly #counts = new Int32Array(SLOTS);
  #arena = new Uint8Array(0);
  #top = 0;

  get(hash: number, bytes: Uint8Array, start: number, length: number): number | undefined {
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    if (length > LONGEST || this.#lengths[slot] !== length || this.#hashes[slot] !== hash) return undefined;
    const place = this.#places[slot] as number;
    for (let i = 0; i < length; i++) if (this.#arena[place + i] !== bytes[start + i]) return undefined;
    return this.#counts[slot];
  }

  /** Keeps a count, and returns it. */
  put(hash: number, bytes: Uint8Array, start: number, length: number, count: number): number {
    if (length > LONGEST) return count;
    if (this.#top + length > this.#arena.length) {
      this.#arena = new Uint8Array(ARENA);
      this.#lengths.fill(0);
      this.#top = 0;
    }
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    this.#arena.set(bytes.subarray(start, start + length), this.#top);
    this.#hashes[slot] = hash;
    this.#lengths[slot] = length;
    this.#places[slot] = this.#top;
    this.#counts[slot] = count;
    this.#top += length;
    return count;
  }
}

/** The end of a word of ASCII letters, with a space before it or none, where it plainly ends; 0 if it is none. */
function plainWord(bytes: Uint8Array, start: number, length: number): number {
  let at = bytes[start] === 32 ? start + 1 : start;
  while (at < length && ((bytes[at] as number) - 65) >>> 0 < 26) at++;
  const lower = at;
  while (at < length && ((bytes[at] as number) - 97) >>> 0 < 26) at++;
  if (at === lower || at >= length) return 0;
  const next = bytes[at] as number;
  return next < 0x80 && next !== 39 && ((next | 32) - 97) >>> 0 >= 26 ? at : 0;
}

const SHORTS = 1 << 13;

/** The counts of pieces of at most eight bytes that came lately. */
class Short {
  readonly #low = new Int32Array(SHORTS);
  readonly #high = new Int32Array(SHORTS);
  readonly #count = new Uint8Array(SHORTS);

  slot(low: number, high: number): number {
    const h = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x2c1b3c6d);
    return (h ^ (h >>> 15)) & (SHORTS - 1);
  }
  get(slot: number, low: number, high: number, length: number): number {
    if (this.#low[slot] !== low || this.#high[slot] !== high) return 0;
    const kept = this.#count[slot] as number;
    return kept >> 4 === length ? kept & 15 : 0;
  }
  put(slot: number, low: number, high: number, length: number, count: number): number {
    this.#low[slot] = low;
    this.#high[slot] = high;
    this.#count[slot] = (length << 4) | count;
    return count;
  }
}
