// Records to bytes. Whole records only: what cannot be written whole is not begun.

import { badInput } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import { NEWLINE } from './split.ts';

/** Output is handed on in pieces of about this size, or when the reader is about to wait. */
const PIECE = 1 << 15;

/** A character of a string takes three bytes at most. */
const ROOM = 6 * PIECE;

/**
 * Collects records and hands them to `put` in whole lines. An untouched record leaves as the bytes it came in as. `put` blocks until
 * all is taken, and keeps nothing: the next piece has the same room.
 */
export class Writer {
  readonly #put: (bytes: Uint8Array) => void;
  #pending = '';
  #open = false;
  #room: Buffer | undefined;

  constructor(put: (bytes: Uint8Array) => void) {
    this.#put = put;
  }

  write(rec: Rec): void {
    const { source } = rec;
    if (source === undefined) {
      this.#line(encode(rec));
      this.#pending += '\n';
    } else if (typeof source === 'string') {
      this.#line(source);
      this.#open = source !== '' && source.charCodeAt(source.length - 1) !== NEWLINE;
    } else {
      this.#line('');
      this.flush();
      this.#put(source);
      // Bytes that were made here are frames, not lines.
      this.#open = source.at(-1) !== NEWLINE && rec.line !== undefined;
    }
    if (this.#pending.length >= PIECE) this.flush();
  }

  flush(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    if (text.length * 3 > ROOM) {
      this.#put(Buffer.from(text, 'utf8'));
      return;
    }
    this.#room ??= Buffer.allocUnsafeSlow(ROOM);
    this.#put(this.#room.subarray(0, this.#room.write(text, 'utf8')));
  }

  /** Adds text; a record that came without a terminator gets one when another follows. */
  #line(text: string): void {
    if (this.#open) this.#pending += '\n';
    this.#pending += text;
    this.#open = false;
  }
}

function encode(rec: Rec): string {
  try {
    return JSON.stringify(rec.value);
  } catch (error) {
    if (error instanceof RangeError) throw badInput(rec, 'cannot write the record: nested too deeply or too large');
    throw error;
  }
}
