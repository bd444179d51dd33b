// Byte pair merging of one piece: always the pair of lowest rank, the leftmost first.
import { extend, type Ranks } from './ranks.ts';

/** Up to here a scan for the lowest pair is faster than a heap. */
const SHORT = 96;

const NONE = 0x7fffffff;
const POSITIONS = 2 ** 32;

/** Merges pieces of one vocabulary. Its arrays are used again from piece to piece. */
export class Merger {
  readonly #ranks: Ranks;
  #hashes = new Int32Array(1024);
  #starts = new Int32Array(SHORT + 1);
  #pairs = new Int32Array(SHORT + 1);
  #next = new Int32Array(0);
  #previous = new Int32Array(0);
  #heap = new Float64Array(0);

  constructor(ranks: Ranks) {
    this.#ranks = ranks;
  }

  /** The number of tokens of the piece `text[start, start + length)`. Their ranks are added to `out`. */
  merge(text: Uint8Array, start: number, length: number, out?: number[]): number {
    if (this.#hashes.length <= length) this.#hashes = new Int32Array(2 * length);
    const hashes = this.#hashes;
    for (let i = 0; i < length; i++) hashes[i + 1] = extend(hashes[i] as number, text[start + i] as number);
    return length <= SHORT ? this.#short(text, start, length, out) : this.#long(text, start, length, out);
  }

  #short(text: Uint8Array, base: number, length: number, out: number[] | undefined): number {
    const starts = this.#starts;
    const pairs = this.#pairs;
    const rank = (from: number, to: number): number => {
      const found = this.#ranks.findPart(this.#hashes, text, base, from, to);
      return found < 0 ? NONE : found;
    };
    let count = length;
    for (let i = 0; i <= length; i++) starts[i] = i;
    for (let i = 0; i < length - 1; i++) pairs[i] = rank(i, i + 2);
    for (;;) {
      let lowest = NONE;
      let at = -1;
      for (let i = 0; i < count - 1; i++)
        if ((pairs[i] as number) < lowest) {
          lowest = pairs[i] as number;
          at = i;
        }
      if (at < 0) break;
      starts.copyWithin(at + 1, at + 2, count + 1);
      pairs.copyWithin(at + 1, at + 2, count);
      count--;
      if (at < count - 1) pairs[at] = rank(starts[at] as number, starts[at + 2] as number);
      if (at > 0) pairs[at - 1] = rank(starts[at - 1] as number, starts[at + 1] as number);
    }
    if (out) for (let i = 0; i < count; i++) out.push(rank(starts[i] as number, starts[i + 1] as number));
    return count;
  }

  /** A linked list of parts and a heap of pairs: n log n, whatever the piece. */
  #long(text: Uint8Array, base: number, length: number, out: number[] | undefined): number {
    this.#grow(length);
    const next = this.#next;
    const previous = this.#previous;
    const pairs = this.#pairs;
    const heap = new Heap(this.#heap);
    const rank = (from: number, to: number) => this.#ranks.findPart(this.#hashes, text, base, from, to);
    const pair = (at: number): void => {
      const middle = next[at] as number;
      const found = middle < length ? rank(at, next[middle] as number) : -1;
      pairs[at] = found;
      if (found >= 0) heap.push(found * POSITIONS + at);
    };
    for (let i = 0; i <= length; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
    }
    for (let i = 0; i < length; i++) pair(i);
    let count = length;
    while (heap.size > 0) {
      const key = heap.pop();
      const lowest = Math.floor(key / POSITIONS);
      const at = key - lowest * POSITIONS;
      if (pairs[at] !== lowest) continue;
      const gone = next[at] as number;
      pairs[gone] = -1;
      next[at] = next[gone] as number;
      previous[next[at] as number] = at;
      count--;
      pair(at);
      if (at > 0) pair(previous[at] as number);
    }
    if (out) for (let i = 0; i < length; i = next[i] as number) out.push(rank(i, next[i] as number));
    return count;
  }

  #grow(length: number): void {
    if (this.#next.length > length + 1) return;
    this.#next = new Int32Array(length + 2);
    this.#previous = new Int32Array(length + 2);
    this.#pairs = new Int32Array(length + 2);
    // A merge takes one pair out and puts two in.
    this.#heap = new Float64Array(3 * length + 2);
  }
}

/** The smallest number first. */
class Heap {
  readonly #items: Float64Array;
  size = 0;

  constructor(items: Float64Array) {
    this.#items = items;
  }

  push(item: number): void {
    const items = this.#items;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((items[parent] as number) <= item) break;
      items[at] = items[parent] as number;
      at = parent;
    }
    items[at] = item;
  }

  pop(): number {
    const items = this.#items;
    const top = items[0] as number;
    const last = items[--this.size] as number;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && (items[child + 1] as number) < (items[child] as number)) child++;
      if ((items[child] as number) >= last) break;
      items[at] = items[child] as number;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
