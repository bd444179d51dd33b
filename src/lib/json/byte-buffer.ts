// Lines in the making, as bytes.

import { BACKSLASH, LAST, QUOTE, SPACE } from './ascii.ts';

/** Bytes fewer than this are copied one by one: a call costs more. */
const FEW = 40;

/** Takes bytes one after the other, and hands them out in pieces. What was handed out stays as it is until `begin`. */
export class ByteRoom {
  /** For those who write themselves: `reserve` first, then from `length` on. */
  bytes: Buffer;
  length = 0;
  #sent = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** All that was handed out has been used. */
  begin(): void {
    this.bytes.copyWithin(0, this.#sent, this.length);
    this.length -= this.#sent;
    this.#sent = 0;
  }

  /** What came since the last piece; undefined if that is nothing. */
  take(): Buffer | undefined {
    if (this.#sent === this.length) return undefined;
    const piece = this.bytes.subarray(this.#sent, this.length);
    this.#sent = this.length;
    return piece;
  }

  /** Makes room for so many bytes. What is there moves only to a larger one; what was handed out keeps the old one. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * (this.length - this.#sent), this.bytes.length) + more);
    this.bytes.copy(larger, 0, this.#sent, this.length);
    this.bytes = larger;
    this.length -= this.#sent;
    this.#sent = 0;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** Some bytes of others. */
  copy(from: Uint8Array, start = 0, end = from.length): void {
    const length = end - start;
    this.reserve(length);
    const { bytes, length: to } = this;
    if (length < FEW) for (let i = 0; i < length; i += 1) bytes[to + i] = from[start + i] as number;
    else if (from instanceof Buffer) from.copy(bytes, to, start, end);
    else bytes.set(from.subarray(start, end), to);
    this.length = to + length;
  }

  /** A short text as JSON. */
  text(text: string): void {
    this.reserve(text.length + 2);
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = QUOTE;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code < SPACE || code > LAST || code === QUOTE || code === BACKSLASH) {
        this.json(text);
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.length = at;
  }

  /** A value as JSON. */
  json(value: unknown): void {
    const text = JSON.stringify(value);
    this.reserve(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }
}
