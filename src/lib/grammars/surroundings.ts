// What stands around a place: fences, code spans, block quotes, quotation marks. What is in them is shown, not said.
import { type CodeSpan, codeSpan, type Fence, fenceAtLine } from './markdown.ts';
import { inQuotation } from './quotation.ts';
import type { Source } from './source.ts';

/** Why a call is not the model's own. */
export type Quoted = 'in inline code' | 'in a block quote' | 'in quotation marks' | 'in a code fence';

/** Follows a scan from left to right. */
export class Surroundings {
  readonly #source: Source;
  /** The fence that is open. */
  fence: Fence | undefined;
  #span: CodeSpan | undefined;
  /** The end of a line that is a quotation. */
  #quoteEnd = -1;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Takes the beginning of a line: gives the place to go on, and the fence that opens there. `isOpener`: a call may begin with `>`. */
  line(at: number, isOpener: (at: number) => boolean): { readonly next: number; readonly fence?: Fence } {
    const { text } = this.#source;
    let i = at;
    while (i < at + 4 && text[i] === ' ') i += 1;
    if (text[i] === '>' && !isOpener(i)) {
      const end = this.#source.find('\n', i);
      this.#quoteEnd = end < 0 ? text.length : end;
      return { next: i + 1 };
    }
    const fence = fenceAtLine(this.#source, i, this.fence);
    if (fence === 'closes') {
      this.fence = undefined;
      return { next: i + 3 };
    }
    return fence && this.fence === undefined ? { next: at, fence } : { next: at };
  }

  /** Takes backticks within a line; gives the place to go on. */
  backtick(at: number): number {
    if (this.#span && at === this.#span.close) return this.#span.end;
    if (this.#span && at < this.#span.end) return at + 1;
    this.#span = this.fence ? undefined : codeSpan(this.#source, at);
    let i = at;
    while (this.#source.text[i] === '`') i += 1;
    return i;
  }

  inCode(at: number): boolean {
    return this.fence !== undefined || (this.#span !== undefined && at < this.#span.end) || at < this.#quoteEnd;
  }

  /** Why what stands from `start` to `end` is shown rather than said; undefined if it is said. `from`: before it all is decided. */
  quoted(start: number, end: number, from: number): Quoted | undefined {
    if (this.#span && start < this.#span.end && end <= this.#span.end) return 'in inline code';
    if (start < this.#quoteEnd) return 'in a block quote';
    if (this.fence && !this.fence.open) return 'in a code fence';
    return inQuotation(this.#source.text, start, end, from) ? 'in quotation marks' : undefined;
  }
}
