// Records to bytes. Whole records only: what cannot be written whole is not begun.
import { badInput } from '../ir/failure.ts';
import type { Rec } from '../ir/record.ts';

/** Output is handed on in pieces of about this size, or when the reader is about to wait. */
const PIECE = 1 << 16;

/**
 * Collects records and hands them to `put` in whole lines. An untouched record leaves as the bytes it came in as. `put` blocks until
 * all is taken.
 */
export class Writer {
  readonly #put: (bytes: Uint8Array) => void;
  #pending = '';
  #open = false;

  constructor(put: (bytes: Uint8Array) => void) {
    this.#put = put;
  }

  write(rec: Rec): void {
    const text = rec.source ?? encode(rec);
    if (typeof text !== 'string') {
      this.#line('');
      this.flush();
      this.#put(text);
      this.#open = text.at(-1) !== 10;
      return;
    }
    this.#line(text);
    if (this.#pending.length >= PIECE) this.flush();
  }

  flush(): void {
    if (this.#pending === '') return;
    const bytes = Buffer.from(this.#pending, 'utf8');
    this.#pending = '';
    this.#put(bytes);
  }

  /** Adds text; a record that came without a terminator gets one when another follows. */
  #line(text: string): void {
    if (this.#open) this.#pending += '\n';
    this.#pending += text;
    this.#open = text !== '' && !text.endsWith('\n');
  }
}

function encode(rec: Rec): string {
  try {
    return `${JSON.stringify(rec.value)}\n`;
  } catch (error) {
    if (error instanceof RangeError) throw badInput(rec, 'cannot write the record: nested too deeply or too large');
    throw error;
  }
}
