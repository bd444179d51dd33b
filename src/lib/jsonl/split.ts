// Bytes in, whole lines out. A line keeps its terminator, so that it can leave as it came.

import { isUtf8 } from 'node:buffer';

export const NEWLINE = 10;

/** V8's longest string is a little under 2^29 characters. */
const LONGEST = 0x1ffffff0;

/** A whole line: text, or the bytes of one that is not UTF-8, or undefined for one that no string can hold. */
export type Line = string | Uint8Array | undefined;

/** Room for a line that lies on the border of two chunks, as most do. */
const SEAM = 1 << 17;

/**
 * Cuts chunks of bytes into lines. Lines are decoded a chunk at a time, since one call per line costs more than the decoding;
 * the rest of a chunk waits for its end without being copied again, so that a long line costs linear time.
 */
export class Splitter {
  /** What waits, in one place as long as it fits: a buffer for each chunk would leave the process with holes that it never fills. */
  #seam: Buffer | undefined;
  #length = 0;
  #rest: Uint8Array[] = [];

  /** The lines that end in this chunk. The chunk may be overwritten afterwards. */
  push(chunk: Uint8Array): Line[] {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.#wait(chunk);
      return [];
    }
    // Only the first line has something before it: the others are decoded where they are.
    const first = this.#length > 0 ? chunk.indexOf(NEWLINE) + 1 : 0;
    const begun = first > 0 ? decode(this.#joined(chunk.subarray(0, first))) : [];
    if (end < chunk.length) this.#wait(chunk.subarray(end));
    const lines = first < end ? decode(chunk.subarray(first, end)) : [];
    if (begun.length > 0) lines.unshift(...begun);
    return lines;
  }

  /** The last line, if it has no terminator. */
  end(): Line[] {
    const last = this.#joined(new Uint8Array());
    return last.length > 0 ? decode(last) : [];
  }

  #wait(bytes: Uint8Array): void {
    this.#seam ??= Buffer.allocUnsafeSlow(SEAM);
    if (this.#rest.length === 0 && this.#length + bytes.length <= SEAM) this.#seam.set(bytes, this.#length);
    else this.#rest.push(Buffer.from(bytes));
    this.#length += bytes.length;
  }

  /** What waited, and what follows it. Nothing waits any more. */
  #joined(bytes: Uint8Array): Uint8Array {
    const length = this.#length + bytes.length;
    const rest = this.#rest;
    const waited = this.#length - rest.reduce((sum, piece) => sum + piece.length, 0);
    this.#length = 0;
    this.#rest = [];
    if (this.#seam === undefined) return bytes;
    if (rest.length > 0 || length > SEAM) return Buffer.concat([this.#seam.subarray(0, waited), ...rest, bytes]);
    this.#seam.set(bytes, waited);
    return this.#seam.subarray(0, length);
  }
}

/** The lines of some bytes, which are whole. */
function decode(bytes: Uint8Array): Line[] {
  if (bytes.length > LONGEST) return bytesByLine(bytes).map((line) => (line.length > LONGEST ? undefined : text(line)));
  if (!isUtf8(bytes)) return bytesByLine(bytes).map(text);
  return textByLine(utf8(bytes));
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

const utf8 = (bytes: Uint8Array): string => bufferOf(bytes).toString('utf8');

const text = (line: Uint8Array): Line => (isUtf8(line) ? utf8(line) : Buffer.from(line));

function textByLine(all: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < all.length; ) {
    const newline = all.indexOf('\n', start);
    const end = newline < 0 ? all.length : newline + 1;
    lines.push(all.slice(start, end));
    start = end;
  }
  return lines;
}

function bytesByLine(all: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < all.length; ) {
    const newline = all.indexOf(NEWLINE, start);
    const end = newline < 0 ? all.length : newline + 1;
    lines.push(all.subarray(start, end));
    start = end;
  }
  return lines;
}
