// One text that comes in pieces. What can be no part of a call is given at once. From the first thing on that may be a call the whole text
// decides: what follows can make a quotation, an example or reasoning of it.
import { mayHoldCall } from '../../lib/grammars/may-hold.ts';
import type { Mark } from '../../lib/grammars/reasoning.ts';
import { lookAhead } from '../../lib/grammars/release.ts';
import type { Candidate } from '../../lib/grammars/scanned.ts';
import { Source } from '../../lib/grammars/source.ts';
import { Judge } from './judge.ts';
import { recoverText, type TextRules } from './text.ts';
import { type StreamPiece, Told, trimmed } from './told.ts';

/** Anything that a call, a fence or reasoning can begin with. */
const HOT = /[<`{[(:=>*|&~\n✿◁]/;

/** A line this long begins with no word of a format any more. */
const LONG_LINE = 120;

/** What is looked at before the place where the text goes on. */
const BEHIND = 400;

/** What closes reasoning is shorter. */
const LONGEST_CLOSER = 40;

export class TextStream {
  readonly #rules: Omit<TextRules, 'last'>;
  readonly #told = new Told();
  readonly #all: string[] = [];
  /** The end of the text, from a little before the place where it goes on; and where it begins. */
  #window = '';
  #begins = 0;
  #from = 0;
  /** The window is looked at again when it is as long as this. */
  #next = 0;
  /** What closes the reasoning that the text is in. */
  #closers: readonly string[] | undefined;
  /** What came since only the whole text can tell, or the end of the reasoning. */
  #waiting: string[] | undefined;
  #tail = '';

  constructor(rules: Omit<TextRules, 'last'>) {
    this.#rules = rules;
  }

  /** Whether something was held back that the rest of the message can decide. */
  get holds(): boolean {
    return this.#waiting !== undefined || this.#from < this.#window.length;
  }

  feed(text: string): readonly StreamPiece[] {
    this.#all.push(text);
    if (this.#waiting) return this.#wait(this.#waiting, text);
    const held = this.#from < this.#window.length;
    this.#window += text;
    if (!held && this.#isPlain(text)) return this.#release(this.#window.length);
    return this.#window.length < this.#next ? [] : this.#look();
  }

  /** What is left, now that no more will come. `last`: nothing of the message follows but calls. */
  finish(last: boolean): readonly StreamPiece[] {
    const text = this.#all.join('');
    const rules = { ...this.#rules, last };
    const { pieces } = mayHoldCall(text) ? recoverText(text, rules) : {};
    const from = this.#begins + this.#from;
    if (pieces === undefined) return this.#told.verbatim(text.slice(from));
    const rest = this.#told.rest(pieces);
    if (rest) return rest;
    const said = recoverText(text, rules, from).pieces?.filter(({ type }) => type !== 'calls') ?? [];
    return [...said.flatMap(trimmed), ...pieces.filter(({ type }) => type === 'calls')];
  }

  /** Text that nothing can come of: in the middle of a line, without a character that means anything. */
  #isPlain(text: string): boolean {
    return !HOT.test(text) && this.#closers === undefined && this.#window.length > LONG_LINE && !/\w$/.test(text);
  }

  /** Gives what is decided of the window. */
  #look(): readonly StreamPiece[] {
    const out: StreamPiece[] = [];
    for (;;) {
      const source = new Source(this.#window, this.#rules.tools);
      const close = this.#closers && source.first(this.#closers, this.#from);
      const sure = close && !this.#rules.inReasoning;
      const { hold, found, mark } = sure
        ? { hold: close.at }
        : lookAhead(source, this.#from, (one) => this.#isCall(one), this.#closers);
      const ends = close !== undefined && close.at <= hold;
      out.push(...this.#release(ends ? close.at : hold));
      const shift = source.text.length - this.#window.length;
      if (ends) this.#end(close.at + close.needle.length - shift);
      else if (mark && this.#passes(mark)) out.push(...this.#pass(mark, shift));
      else {
        this.#waiting = found ? [] : undefined;
        this.#tail = this.#window.slice(-LONGEST_CLOSER);
        this.#next = this.#window.length + ((this.#window.length - this.#from) >> 4);
        return out;
      }
    }
  }

  /** Within reasoning its end is looked for. */
  #wait(waiting: string[], text: string): readonly StreamPiece[] {
    waiting.push(text);
    if (this.#closers === undefined || this.#rules.inReasoning) return [];
    const end = this.#tail + text;
    this.#tail = end.slice(-LONGEST_CLOSER);
    if (new Source(end, this.#rules.tools).first(this.#closers, 0) === undefined) return [];
    this.#window += waiting.join('');
    this.#waiting = undefined;
    return this.#look();
  }

  /** Whether the text can go on behind a mark of reasoning: it begins with it, or is too late to be it. */
  #passes({ type }: Mark): boolean {
    return this.#closers === undefined && this.#told.hasText === (type === 'closes');
  }

  #pass(mark: Mark, shift: number): readonly StreamPiece[] {
    if (mark.type === 'closes') return this.#release(mark.end - shift);
    this.#closers = mark.closers;
    this.#told.begin();
    this.#from = mark.from - shift;
    return [];
  }

  #end(at: number): void {
    this.#closers = undefined;
    this.#told.begin();
    this.#from = at;
  }

  /** Gives the text up to a place, and forgets it but for the line that it ends in. */
  #release(hold: number): readonly StreamPiece[] {
    const text = this.#window.slice(this.#from, hold);
    const line = hold === 0 ? 0 : this.#window.lastIndexOf('\n', hold - 1) + 1;
    const cut = Math.max(line, hold - BEHIND);
    this.#window = this.#window.slice(cut);
    this.#begins += cut;
    this.#from = hold - cut;
    return this.#told.tell(this.#closers ? 'reasoning' : 'text', text);
  }

  /** Whether a candidate is a call where nothing quotes it. */
  #isCall(candidate: Candidate): boolean {
    return new Judge(this.#rules).decide(candidate) === 'take';
  }
}
