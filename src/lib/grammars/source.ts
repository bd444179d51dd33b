// A text that is searched for calls.
import type { Toolset } from './toolset.ts';

export interface Tag {
  /** Without slash and namespace, in ASCII: `invoke`, `tool_call`, `|tool_call_begin|`. */
  readonly name: string;
  /** The name in small letters. */
  readonly key: string;
  /** What stood before the name: `antml`, `DSML`, `minimax`; '' if nothing did. */
  readonly space: string;
  readonly closes: boolean;
  /** Whether it ends with `/>`. */
  readonly empty: boolean;
  /** What follows the name. */
  readonly rest: string;
  readonly end: number;
  /** It was spelled otherwise than its model's template does. */
  readonly respelled: boolean;
}

export class Source {
  /** The text as it stands: values are cut out of it. */
  readonly text: string;
  /** The same length in ASCII bars and underscores: tokens are looked for in it. */
  readonly flat: string;
  readonly tools: Toolset;
  /** Calls whose arguments are cut off are closed and taken. */
  readonly salvage: boolean;
  /** The tag that was read last: many readers ask for it. */
  lastTag: { readonly at: number; readonly tag: Tag | undefined } | undefined;
  #left: number;
  /** By kind of reader, how far it looked in vain: it does not begin again before that place. */
  readonly #vain = new Map<string, number>();
  readonly #found = new Map<string, { from: number; at: number }>();

  constructor(text: string, tools: Toolset, salvage = false) {
    this.text = text;
    this.flat = /[｜▁‖]/.test(text) ? text.replace(/[｜‖]/g, '|').replaceAll('▁', '_') : text;
    this.tools = tools;
    this.salvage = salvage;
    this.#left = 8 * text.length + 100_000;
  }

  /**
   * Counts characters that are looked at again. When they are many times the text, it is made to cost time and holds no call that is worth
   * it: false.
   */
  spend(characters: number): boolean {
    this.#left -= characters;
    return this.#left > 0;
  }

  /** Whether a reader has already looked at `at` from an earlier place, and found nothing. */
  isVain(kind: string, at: number): boolean {
    return at < (this.#vain.get(kind) ?? 0);
  }

  /** Notes that a reader looked at the text up to `reach`, and found nothing. */
  vain(kind: string, reach: number): undefined {
    this.#vain.set(kind, Math.max(reach, this.#vain.get(kind) ?? 0));
  }

  get spent(): boolean {
    return this.#left <= 0;
  }

  /**
   * Where `needle` next stands at or after `from`; -1 if nowhere. Remembers the answer: asking again from every opener of a text stays
   * linear.
   */
  find(needle: string, from: number): number {
    const known = this.#found.get(needle);
    if (known && known.from <= from && (known.at < 0 || known.at >= from)) return known.at;
    const at = this.flat.indexOf(needle, from);
    this.#found.set(needle, { from, at });
    return at;
  }

  /** The first of the needles at or after `from`, and where it stands. */
  first(needles: readonly string[], from: number): { readonly needle: string; readonly at: number } | undefined {
    let best: { needle: string; at: number } | undefined;
    for (const needle of needles) {
      const at = this.find(needle, from);
      if (at >= 0 && (best === undefined || at < best.at)) best = { needle, at };
    }
    return best;
  }

  /** Whether `token` stands at `at`. */
  has(token: string, at: number): boolean {
    return this.flat.startsWith(token, at);
  }

  /** The first of the tokens that stands at `at`, or undefined. */
  oneOf(tokens: readonly string[], at: number): string | undefined {
    return tokens.find((token) => this.flat.startsWith(token, at));
  }

  /** The first place at or after `at` that is no white space. */
  space(at: number): number {
    return skipSpace(this.text, at);
  }

  /** The same, past line breaks that are spelled out: `\\n` where one is meant. */
  breaks(at: number): number {
    let i = this.space(at);
    while (this.text[i] === '\\' && 'nrt'.includes(this.text[i + 1] ?? ' ')) i = this.space(i + 2);
    return i;
  }

  /** Whether `at` is the first character of a line that is no white space. */
  startsLine(at: number): boolean {
    for (let i = at - 1; i >= 0; i -= 1) {
      const c = this.text.charCodeAt(i);
      if (c === 10) return true;
      if (c !== 32 && c !== 9 && c !== 13) return false;
    }
    return true;
  }
}

/** The first place at or after `at` that is no white space. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9 && c !== 0xa0 && c !== 0xfeff) break;
  }
  return i;
}
