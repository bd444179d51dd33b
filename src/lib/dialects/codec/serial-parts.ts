// Pieces of parallel parts, put in a row: some APIs tell one part after the other.
import type { Delta } from '../../conversation/delta.ts';

/**
 * Holds back the pieces of a part while another one is being told, so that the pieces of each come together. A text ends when another part begins; a
 * call ends when its arguments are a whole JSON value, since nothing can follow one.
 */
export class Serial {
  #current: { readonly index: number; readonly call: boolean; readonly end: JsonEnd } | undefined;
  readonly #waiting = new Map<number, Delta[]>();
  readonly #told = new Set<number>();

  /** The pieces that can be told now, in order. */
  push(delta: Delta): Delta[] {
    const out: Delta[] = [];
    if (this.#told.has(delta.index)) return out;
    if (this.#current?.index !== delta.index && this.#mayEnd()) this.#release(out);
    if (this.#current === undefined || this.#current.index === delta.index) this.#tell(delta, out);
    else this.#hold(delta);
    return out;
  }

  /** What was held back until the end. */
  end(): Delta[] {
    const out: Delta[] = [];
    while (this.#waiting.size > 0) this.#release(out);
    return out;
  }

  #mayEnd(): boolean {
    return this.#current !== undefined && (!this.#current.call || this.#current.end.reached);
  }

  /** Ends the current part, and tells those that wait, in the order in which they came, until one of them may go on. */
  #release(out: Delta[]): void {
    do {
      if (this.#current?.call) this.#told.add(this.#current.index);
      this.#current = undefined;
      const [first] = this.#waiting;
      if (first === undefined) return;
      this.#waiting.delete(first[0]);
      for (const delta of first[1]) this.#tell(delta, out);
    } while (this.#mayEnd());
  }

  #tell(delta: Delta, out: Delta[]): void {
    const call = delta.id !== undefined || delta.name !== undefined;
    this.#current ??= { index: delta.index, call, end: new JsonEnd() };
    if (delta.arguments !== undefined) this.#current.end.push(delta.arguments);
    out.push(delta);
  }

  #hold(delta: Delta): void {
    const held = this.#waiting.get(delta.index);
    if (held) held.push(delta);
    else this.#waiting.set(delta.index, [delta]);
  }
}

/** Watches JSON text go by until its object or list is closed. Each character is looked at once. */
export class JsonEnd {
  #depth = 0;
  #inString = false;
  #escaped = false;
  reached = false;

  push(text: string): void {
    for (let i = 0; i < text.length && !this.reached; i++) this.#look(text.charCodeAt(i));
  }

  #look(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#inString = false;
    } else if (code === QUOTE) this.#inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      this.#depth -= 1;
      this.reached = this.#depth <= 0;
    }
  }
}

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 92, 91, 93, 123, 125];
