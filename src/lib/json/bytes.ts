// JSON as UTF-8 bytes: steps over what stands in a line, and makes values only of what is asked for.
import { ascii, BACKSLASH, CLOSE, CLOSE_LIST, COLON, COMMA, NEWLINE, OPEN, OPEN_LIST, QUOTE, SPACE } from './ascii.ts';
import { Words } from './interned-texts.ts';
import type { Json } from './values.ts';

const [PLUS, MINUS, POINT, ZERO, E, U, e] = [43, 45, 46, 48, 69, 117, 101];

const tableOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
};

const AFTER_BACKSLASH = tableOf('"\\/bfnrt');
const HEX = tableOf('0123456789abcdefABCDEF');
const DIGIT = tableOf('0123456789');

/** Deeper values are left to the parser. */
const DEEPEST = 100;

/** 1: a byte that ends a string, begins an escape, or may not stand in one. */
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
);

const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');

/**
 * A walk through a line, which ends with a newline. Each step says whether what it looks for stood there; spaces before it are stepped over. Other
 * white space is not: lines with it are rare.
 */
export class JsonBytes {
  bytes: Buffer = Buffer.alloc(0);
  /** Where the next step begins. */
  at = 0;
  /** Where the last string or object began: with its quote or brace. */
  from = 0;
  #keyFrom = 0;
  #keyEnd = 0;
  #keyEscaped = false;
  readonly #words = new Words();
  /** Something in the last string is escaped. */
  #escaped = false;

  open(bytes: Buffer, at: number): void {
    this.bytes = bytes;
    this.at = at;
  }

  begins(): boolean {
    return this.#takes(OPEN);
  }

  beginsList(): boolean {
    return this.#takes(OPEN_LIST);
  }

  /** A comma, and so more of an object or of a list. */
  continues(): boolean {
    return this.#takes(COMMA);
  }

  ends(): boolean {
    return this.#takes(CLOSE);
  }

  endsList(): boolean {
    return this.#takes(CLOSE_LIST);
  }

  /** The end of the line. */
  endsLine(): boolean {
    return this.#takes(NEWLINE);
  }

  /** A name and its colon: `isKey` tells which. */
  key(): boolean {
    if (!this.string()) return false;
    this.#keyEnd = this.at - 1;
    this.#keyFrom = this.from + 1;
    this.#keyEscaped = this.#escaped;
    return this.#takes(COLON);
  }

  /** Whether the last name was this one. */
  isKey(name: Uint8Array): boolean {
    return this.#same(this.#keyFrom, this.#keyEnd, name);
  }

  /** The last name. */
  get keyText(): string {
    return this.#word(this.#keyFrom, this.#keyEnd, this.#keyEscaped);
  }

  /** A string. Its escapes are looked at, and no control character may stand in it. */
  string(): boolean {
    const { bytes } = this;
    let at = this.#skip();
    if (bytes[at] !== QUOTE) return false;
    this.from = at;
    this.#escaped = false;
    at += 1;
    for (;;) {
      while (STOPS[bytes[at] as number] === 0) at += 1;
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) return false;
      this.#escaped = true;
      const escaped = bytes[at + 1] as number;
      if (AFTER_BACKSLASH[escaped] === 1) at += 2;
      else if (escaped === U && this.#isHex(at + 2)) at += 6;
      else return false;
    }
    this.at = at + 1;
    return true;
  }

  /** `null`, `true` or `false`. */
  word(word: Uint8Array): boolean {
    const at = this.#skip();
    if (!this.#same(at, at + word.length, word)) return false;
    this.at = at + word.length;
    return true;
  }

  /** Any value, to its end. */
  value(depth = 0): boolean {
    const byte = this.bytes[this.#skip()];
    if (byte === QUOTE) return this.string();
    if (byte === OPEN) return this.object(depth);
    if (byte === OPEN_LIST) return this.#list(depth);
    return this.word(TRUE) || this.word(FALSE) || this.word(NULL) || this.#number();
  }

  /** An object, to its end. One that is nested too deeply is none. */
  object(depth = 0): boolean {
    const from = this.#skip();
    if (depth > DEEPEST || !this.begins()) return false;
    if (!this.ends()) {
      do if (!this.string() || !this.#takes(COLON) || !this.value(depth + 1)) return false;
      while (this.continues());
      if (!this.ends()) return false;
    }
    this.from = from;
    return true;
  }

  #list(depth: number): boolean {
    if (depth > DEEPEST || !this.beginsList()) return false;
    if (this.endsList()) return true;
    do if (!this.value(depth + 1)) return false;
    while (this.continues());
    return this.endsList();
  }

  #number(): boolean {
    const { bytes } = this;
    if (bytes[this.at] === MINUS) this.at += 1;
    if (bytes[this.at] === ZERO) this.at += 1;
    else if (!this.#digits()) return false;
    if (bytes[this.at] === POINT) {
      this.at += 1;
      if (!this.#digits()) return false;
    }
    if (bytes[this.at] !== E && bytes[this.at] !== e) return true;
    this.at += 1;
    if (bytes[this.at] === PLUS || bytes[this.at] === MINUS) this.at += 1;
    return this.#digits();
  }

  #digits(): boolean {
    const from = this.at;
    while (DIGIT[this.bytes[this.at] as number] === 1) this.at += 1;
    return this.at > from;
  }

  /** Whether the last string has these characters and no other. */
  is(text: Uint8Array): boolean {
    return this.#same(this.from + 1, this.at - 1, text);
  }

  /** Whether the last object begins with this, its quotes included. */
  beginsWith(name: Uint8Array): boolean {
    let at = this.from + 1;
    while (this.bytes[at] === SPACE) at += 1;
    return this.#same(at, at + name.length, name);
  }

  /** The last string, as a text. */
  get text(): string {
    return this.#decoded(this.from + 1, this.at - 1);
  }

  /** The same, for one that comes again and again: a name. */
  get name(): string {
    return this.#word(this.from + 1, this.at - 1, this.#escaped);
  }

  /** The last object. */
  get parsed(): Json {
    return JSON.parse(this.bytes.toString('utf8', this.from, this.at));
  }

  #word(from: number, to: number, escaped: boolean): string {
    if (escaped) return JSON.parse(this.bytes.toString('utf8', from - 1, to + 1));
    return this.#words.of(this.bytes, from, to);
  }

  #decoded(from: number, to: number): string {
    if (this.#escaped) return JSON.parse(this.bytes.toString('utf8', from - 1, to + 1));
    return this.bytes.toString('utf8', from, to);
  }

  #takes(byte: number): boolean {
    const at = this.#skip();
    if (this.bytes[at] !== byte) return false;
    this.at = at + 1;
    return true;
  }

  #skip(): number {
    while (this.bytes[this.at] === SPACE) this.at += 1;
    return this.at;
  }

  #same(from: number, to: number, text: Uint8Array): boolean {
    if (to - from !== text.length) return false;
    for (let i = 0; i < text.length; i += 1) if (this.bytes[from + i] !== text[i]) return false;
    return true;
  }

  #isHex(at: number): boolean {
    for (let i = at; i < at + 4; i += 1) if (HEX[this.bytes[i] as number] !== 1) return false;
    return true;
  }
}
