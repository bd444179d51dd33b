// One text that comes in pieces: what is decided is given at once, what may become a call is held back.
import type { Scanned, State } from '../../lib/grammars/scanned.ts';
import { Scanner } from '../../lib/grammars/scanner.ts';
import { Source } from '../../lib/grammars/source.ts';
import { skipStray } from '../../lib/grammars/stray.ts';
import { Judge } from './judge.ts';
import { type Piece, settle, type TextRules } from './text.ts';

/** Anything that a call, a fence or reasoning can begin with. */
const HOT = /[<`{[(:=>*|&~\n✿◁]/;

/** A line this long begins with no word of a format any more. */
const LONG_LINE = 120;

/** A held text longer than this is looked at again only when it has grown by a sixteenth: its cost stays linear. */
const LARGE = 1 << 16;

export class TextStream {
  readonly #rules: Omit<TextRules, 'last'>;
  #buffer = '';
  #state: State = { from: 0 };
  #next = 0;
  /** The last of what was said, without the calls. */
  #said = '';
  #called = false;
  #space = '';

  constructor(rules: Omit<TextRules, 'last'>) {
    this.#rules = rules;
  }

  feed(text: string): readonly Piece[] {
    const held = this.#state.from < this.#buffer.length;
    this.#buffer += text;
    if (!held && this.#isPlain(text)) return this.#pass(text);
    return this.#buffer.length < this.#next ? [] : this.#settle(false);
  }

  /** What is left, now that no more will come. */
  finish(): readonly Piece[] {
    const pieces = this.#settle(true);
    if (this.#called || this.#space === '') return pieces;
    return [...pieces, { type: 'text', text: this.#space }];
  }

  /** Text that nothing can come of: in the middle of a line, without a character that means anything. */
  #isPlain(text: string): boolean {
    return !HOT.test(text) && this.#state.closers === undefined && this.#buffer.length > LONG_LINE && !/\w$/.test(text);
  }

  #pass(text: string): readonly Piece[] {
    this.#advance(this.#buffer.length, this.#state);
    return this.#spoken([{ type: 'text', text }]);
  }

  #settle(final: boolean): readonly Piece[] {
    const { tools, salvage, inReasoning } = this.#rules;
    const text = this.#buffer;
    const source = new Source(text, tools, salvage && final);
    const judge = new Judge(this.#rules);
    const growing = { ...this.#state, from: this.#called ? skipStray(source, this.#state.from) : this.#state.from };
    const scanned: Scanned = new Scanner(source, { inReasoning, growing, final }, (one) => judge.decide(one)).run();
    const stretch = { from: growing.from, to: scanned.hold, before: this.#said };
    const { pieces, taken } = settle(text, scanned, judge, { ...this.#rules, last: final }, stretch);
    const plain: Piece[] =
      scanned.hold > growing.from ? [{ type: 'text', text: text.slice(growing.from, scanned.hold) }] : [];
    this.#called ||= taken.length > 0;
    const stuck = scanned.hold === this.#state.from && text.length > LARGE;
    this.#advance(scanned.hold, scanned.state);
    this.#next = stuck ? this.#buffer.length + (this.#buffer.length >> 4) : 0;
    return this.#spoken(pieces ?? plain);
  }

  /** Forgets what is decided, but for the line that it ends in. */
  #advance(hold: number, { fence, closers, done = 0 }: State): void {
    const line = this.#buffer.lastIndexOf('\n', hold - 1) + 1;
    const cut = Math.max(line, hold - 400, Math.min(done, hold));
    this.#buffer = this.#buffer.slice(cut);
    this.#state = { from: hold - cut, fence, closers };
  }

  /** White space waits for what follows it: before a call it is nothing. */
  #spoken(pieces: readonly Piece[]): readonly Piece[] {
    const out: Piece[] = [];
    for (const piece of pieces) {
      if (piece.type !== 'text') {
        out.push(piece);
        this.#space = '';
        continue;
      }
      const text = this.#space + piece.text;
      const kept = text.trimEnd();
      this.#space = text.slice(kept.length);
      if (kept === '') continue;
      out.push({ type: 'text', text: kept });
      this.#said = (this.#said + kept).slice(-200);
    }
    return out;
  }
}
