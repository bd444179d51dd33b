// The specifier of a Bash rule: a command, with `*` for any text; a space before the last one (or `:*`) ends a word.
import { Wildcard } from '../wildcard.ts';

export class CommandPattern {
  readonly #wildcard: Wildcard;
  readonly #ends: boolean;
  /** The words before the first wildcard, and whether more may follow; undefined if a wildcard stands elsewhere. */
  readonly prefix: { readonly words: readonly string[]; readonly open: boolean } | undefined;

  constructor(specifier: string) {
    const text = specifier.trim().replace(/:\*$/, ' *');
    this.#ends = text.endsWith(' *');
    this.#wildcard = new Wildcard(text);
    const body = this.#ends ? text.slice(0, -2) : text;
    this.prefix = body.includes('*') ? undefined : { words: body.split(/\s+/), open: this.#ends };
  }

  /** The program that it is about; undefined if that is a wildcard too. */
  get name(): string | undefined {
    const [name = ''] = this.#wildcard.literal.split(/\s/);
    return this.#wildcard.isExact || this.#wildcard.literal.length > name.length ? name : undefined;
  }

  matches(command: string): boolean {
    return this.#wildcard.matches(command) || (this.#ends && this.#wildcard.matches(`${command} `));
  }

  get isExact(): boolean {
    return this.#wildcard.isExact;
  }

  /** Ends in a wildcard: more may follow. */
  get isOpen(): boolean {
    return this.#ends || this.#wildcard.isOpen;
  }

  /** How many of a command's first words the pattern has in full, before its first wildcard. `texts` are the words as rules read them. */
  named(texts: readonly string[]): number {
    const literal = this.#wildcard.literal.trimEnd();
    let count = 0;
    let text = '';
    for (const each of texts) {
      text = count === 0 ? each : `${text} ${each}`;
      if (!literal.startsWith(text) || !/^(\s|$)/.test(literal.slice(text.length))) return count;
      count += 1;
    }
    return count;
  }
}
