// Texts with `*` in them, each for any run of characters. Not a glob: `/` is a character like others.

export class Wildcard {
  readonly #pieces: readonly string[];

  constructor(pattern: string) {
    this.#pieces = pattern.split('*');
  }

  /** What stands before the first `*`. */
  get literal(): string {
    return this.#pieces[0] ?? '';
  }

  get isExact(): boolean {
    return this.#pieces.length === 1;
  }

  /** Anything may follow what matches. */
  get isOpen(): boolean {
    return !this.isExact && this.#pieces.at(-1) === '';
  }

  /** Whether the whole text matches. Linear: each piece is looked for once, from where the one before it ended. */
  matches(text: string): boolean {
    const first = this.literal;
    if (this.isExact) return text === first;
    const last = this.#pieces.at(-1) ?? '';
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
    let from = first.length;
    const end = text.length - last.length;
    for (const piece of this.#pieces.slice(1, -1)) {
      const at = text.indexOf(piece, from);
      if (at < 0 || at + piece.length > end) return false;
      from = at + piece.length;
    }
    return true;
  }
}
