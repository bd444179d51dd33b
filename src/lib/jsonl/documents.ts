// JSON documents that are spread over several lines: pretty-printed files, one after the other or alone.
import { badInput } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import { complaintAbout, isUnfinished, type OnBad, parseLine } from './parse.ts';
import type { Line } from './split.ts';

/** Characters that a document may have; V8's longest string is a little under 2^29. */
const LONGEST = 0x1ffffff0;

/**
 * Puts the lines of a document together. A line begins one if it is unfinished JSON that ends where JSON may be broken, and the next line is
 * indented or closes something: a record that was cut off is not taken for one.
 */
export class Documents {
  readonly #file: string;
  readonly #onBad: OnBad;
  #lines: string[] = [];
  #length = 0;
  #first = 0;
  #depth = 0;
  #inString = false;

  constructor(file: string, onBad: OnBad) {
    this.#file = file;
    this.#onBad = onBad;
  }

  /** Whether a document has begun: the next line goes to `push`. */
  get open(): boolean {
    return this.#lines.length > 0;
  }

  /** Takes the first line of a document; `whole` is the line with its byte-order mark. False if it begins none. */
  begin(line: string, number: number, whole: string): boolean {
    const text = line.trimEnd();
    if (!/[[{,]$/.test(text.slice(-1)) || !isUnfinished(text)) return false;
    this.#depth = 0;
    this.#inString = false;
    this.#scan(line);
    if (this.#inString || this.#depth === 0) return false;
    this.#lines = [whole];
    this.#length = whole.length;
    this.#first = number;
    return true;
  }

  /** Takes the next line and gives the records that it completes. */
  push(line: Line, number: number): Rec[] {
    if (typeof line !== 'string') return [...this.#giveUp(), this.#parse(line, number)].flatMap((rec) => rec ?? []);
    if (this.#lines.length === 1 && !/^[\s\]}]/.test(line.slice(0, 1))) {
      const [held = ''] = this.#lines;
      this.#lines = [];
      return [this.#bad(held, this.#first), this.#parse(line, number)].flatMap((rec) => rec ?? []);
    }
    const end = this.#scan(line);
    this.#length += line.length;
    if (this.#length > LONGEST) return this.#giveUp();
    if (end < 0) {
      this.#lines.push(line);
      return [];
    }
    const rest = line.slice(end);
    const last = rest.trim() === '' ? line : line.slice(0, end);
    const text = [...this.#lines, last].join('');
    const done = this.#whole(text, this.#first);
    this.#lines = [];
    // Another document follows on the same line.
    const next = last === line ? undefined : this.#parse(rest, number);
    return next ? [done, next] : [done];
  }

  /** The document that the end of the input has cut off. */
  end(): Rec[] {
    return this.open ? this.#giveUp() : [];
  }

  #giveUp(): Rec[] {
    const text = this.#lines.join('');
    this.#lines = [];
    return [this.#whole(text, this.#first)];
  }

  #parse(line: Line, number: number): Rec | undefined {
    return parseLine(line, this.#file, number, this.#onBad, this);
  }

  #whole(source: string, line: number): Rec {
    try {
      return { value: JSON.parse(source.replace(/^\ufeff/, '')), source, file: this.#file, line };
    } catch {
      return this.#bad(source, line);
    }
  }

  #bad(source: string, line: number): Rec {
    const { what, at } = complaintAbout(source.replace(/^\ufeff/, ' ').trimEnd());
    const before = at === undefined ? '' : source.slice(0, at);
    const lines = before.split('\n');
    const rec = { value: undefined, source, file: this.#file, line };
    const place = { ...rec, line: line + lines.length - 1 };
    const character = at === undefined ? '' : ` at character ${(lines.at(-1)?.length ?? 0) + 1}`;
    this.#onBad(badInput(place, `cannot parse JSON: ${what}${character}`), rec);
    return rec;
  }

  /** Follows brackets and strings. The index behind the bracket that closes the document, or -1. */
  #scan(line: string): number {
    for (let i = 0; i < line.length; i++) {
      const code = line.charCodeAt(i);
      if (this.#inString) {
        if (code === BACKSLASH) i += 1;
        else if (code === QUOTE) this.#inString = false;
      } else if (code === QUOTE) this.#inString = true;
      else if (code === BRACE || code === BRACKET) this.#depth += 1;
      else if (code === BRACE + 2 || code === BRACKET + 2) {
        this.#depth -= 1;
        if (this.#depth === 0) return i + 1;
      }
    }
    return -1;
  }
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [0x22, 0x5c, 0x5b, 0x7b];
