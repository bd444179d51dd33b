// An encoding's vocabulary as one binary file: made once, read in one piece, looked up without building anything.
import { expandRuns, findRuns } from './classes.ts';

/** Changes with the layout, so that an old file is never read. */
export const LAYOUT = 1;

const MAGIC = 0x4b544941;
const HEADER = 7;

/** The hash of some bytes is a polynomial, so that of a part follows from those of two prefixes. */
const FACTOR = 0x9e3779b1 | 0;

/** One more byte of a hash. */
export const extend = (hash: number, byte: number): number => (Math.imul(hash, FACTOR) + byte + 1) | 0;

function spread(hash: number, length: number): number {
  let h = hash ^ Math.imul(length, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 13), 0x297a2d39);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Lays out a vocabulary: `tokens[rank]` are the bytes of a token; a rank that is not in use is empty. */
export function layOut(tokens: readonly Uint8Array[]): Uint8Array {
  const runs = findRuns();
  const bits = Math.ceil(Math.log2(tokens.length * 2));
  const starts = new Uint32Array(tokens.length + 1);
  const slots = new Int32Array(1 << bits);
  let total = 0;
  let longest = 0;
  tokens.forEach((bytes, rank) => {
    starts[rank] = total;
    total += bytes.length;
    longest = Math.max(longest, bytes.length);
    if (bytes.length === 0) return;
    let slot = spread(bytes.reduce(extend, 0), bytes.length) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = rank + 1;
  });
  starts[tokens.length] = total;
  const header = Int32Array.of(MAGIC, LAYOUT, tokens.length, total, bits, longest, runs.length);
  const sections = [header, runs, starts, slots].map((section) => new Uint8Array(section.buffer));
  return Buffer.concat([...sections, ...tokens]);
}

/** A vocabulary in use. */
export class Ranks {
  /** The kind of each code point (see classes.ts). */
  readonly kinds: Uint8Array;
  /** The bytes of the longest token. */
  readonly longest: number;
  readonly #starts: Uint32Array;
  readonly #slots: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #powers: Int32Array;

  /** Throws an Error if the file is not one of this layout. */
  constructor(file: Uint8Array) {
    const buffer = aligned(file);
    const [magic, layout, count = 0, total = 0, bits = 0, longest = 0, runs = 0] = new Int32Array(buffer, 0, HEADER);
    if (magic !== MAGIC || layout !== LAYOUT) throw new Error('it is not a tokenizer vocabulary');
    const startsAt = 4 * (HEADER + runs);
    const slotsAt = startsAt + 4 * (count + 1);
    const bytesAt = slotsAt + 4 * (1 << bits);
    this.kinds = expandRuns(new Uint32Array(buffer, 4 * HEADER, runs));
    this.longest = longest;
    this.#starts = new Uint32Array(buffer, startsAt, count + 1);
    this.#slots = new Int32Array(buffer, slotsAt, 1 << bits);
    this.#bytes = new Uint8Array(buffer, bytesAt, total);
    this.#powers = Int32Array.from({ length: longest + 1 });
    this.#powers[0] = 1;
    for (let i = 1; i <= longest; i++) this.#powers[i] = Math.imul(this.#powers[i - 1] as number, FACTOR);
  }

  /** The rank of `text[start, start + length)`, whose hash is `hash`; -1 if it is no token. */
  find(hash: number, text: Uint8Array, start: number, length: number): number {
    const slots = this.#slots;
    const starts = this.#starts;
    const mask = slots.length - 1;
    for (let slot = spread(hash, length) & mask; ; slot = (slot + 1) & mask) {
      const rank = (slots[slot] as number) - 1;
      if (rank < 0) return -1;
      const from = starts[rank] as number;
      if ((starts[rank + 1] as number) - from === length && this.#same(from, text, start, length)) return rank;
    }
  }

  /** The same for a part of a piece: `hashes[i]` is the hash of the piece's first `i` bytes, and the piece begins at `base`. */
  findPart(hashes: Int32Array, text: Uint8Array, base: number, from: number, to: number): number {
    const length = to - from;
    if (length > this.longest) return -1;
    const hash = ((hashes[to] as number) - Math.imul(hashes[from] as number, this.#powers[length] as number)) | 0;
    return this.find(hash, text, base + from, length);
  }

  #same(from: number, text: Uint8Array, start: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (bytes[from + i] !== text[start + i]) return false;
    return true;
  }
}

/** Typed views need their words in place. */
function aligned(file: Uint8Array): ArrayBuffer {
  return (file.byteOffset === 0 ? file : Uint8Array.from(file)).buffer as ArrayBuffer;
}
