// The result of a search, as grep writes it.
import type { Search } from './search.ts';

/** Longer lines are cut: a minified file would fill the window. */
const WIDTH = 500;

export class Report {
  readonly #search: Search;
  readonly #shown: (path: string) => string;
  readonly #lines: string[] = [];
  #skipped = 0;
  #last: { path: string; line: number } | undefined;
  /** No more lines are wanted. */
  full = false;

  constructor(search: Search, shown: (path: string) => string) {
    this.#search = search;
    this.#shown = shown;
  }

  /** A line of a file that matches, or one beside it. */
  line(path: string, number: number, source: string, matches: boolean): void {
    const text = source.replace(/\r$/, '');
    const { before, after, numbers } = this.#search;
    const sign = matches ? ':' : '-';
    if (this.#last && before + after > 0 && (this.#last.path !== path || this.#last.line + 1 !== number))
      this.#add('--');
    this.#last = { path, line: number };
    const cut = text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text;
    this.#add(`${this.#shown(path)}${sign}${numbers ? `${number}${sign}` : ''}${cut}`);
  }

  /** A file with so many lines that match. */
  file(path: string, count: number): void {
    this.#add(this.#search.mode === 'count' ? `${this.#shown(path)}:${count}` : this.#shown(path));
  }

  #add(line: string): void {
    const { skip, most } = this.#search;
    if (this.full) return;
    if (this.#skipped < skip) this.#skipped += 1;
    else if (most > 0 && this.#lines.length >= most) this.full = true;
    else this.#lines.push(line);
  }

  get text(): string {
    const { skip, most } = this.#search;
    if (this.#lines.length === 0) return skip > 0 ? 'No more matches.' : 'No matches found.';
    return (
      this.#lines.join('\n') +
      (this.full ? `\n(there is more: head_limit is ${most}; continue with offset ${skip + most})` : '')
    );
  }
}
