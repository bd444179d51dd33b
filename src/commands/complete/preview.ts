// The answer as it comes, on a terminal's standard error.
import type { Delta } from '../../lib/conversation/delta.ts';

/** Shows text and nothing that could steer the terminal. `end` closes the last line. */
export class Preview {
  readonly #show: (text: string) => void;
  #last = '';

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  push({ text, refusal, name }: Delta): void {
    const piece = text ?? refusal ?? (name === undefined ? '' : `[${name}]`);
    const shown = piece.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
    if (shown === '') return;
    this.#last = shown;
    this.#show(shown);
  }

  end(): void {
    if (this.#last !== '' && !this.#last.endsWith('\n')) this.#show('\n');
    this.#last = '';
  }
}
