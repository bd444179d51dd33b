// The deltas of one reply, with the calls in their texts made real. The parts are counted anew, since a text may become several.
import type { Delta } from '../../lib/ir/delta.ts';
import type { Call } from './judge.ts';
import type { Piece, TextRules } from './text.ts';
import { TextStream } from './text-stream.ts';

export class DeltaStream {
  readonly #rules: Omit<TextRules, 'last'>;
  readonly #idFor: (call: Call) => string;
  #text: { readonly index: number; readonly stream: TextStream } | undefined;
  /** The number of the part that is being written, and what it is. */
  #part = { index: -1, type: '' };
  /** New numbers of parts that are no text. */
  readonly #renumbered = new Map<number, number>();

  constructor(rules: Omit<TextRules, 'last'>, idFor: (call: Call) => string) {
    this.#rules = rules;
    this.#idFor = idFor;
  }

  /** What can be passed on now. */
  take(delta: Delta): readonly Delta[] {
    if (delta.text === undefined) return [...this.#closeUnless(delta.index), this.#renumber(delta)];
    const closed = this.#closeUnless(delta.index);
    this.#text ??= { index: delta.index, stream: new TextStream(this.#rules) };
    const out = this.#written(this.#text.stream.feed(delta.text));
    const [only] = out;
    const same = closed.length === 0 && out.length === 1 && only?.text === delta.text && only.index === delta.index;
    return same ? [delta] : [...closed, ...out];
  }

  /** What was held back. */
  end(): readonly Delta[] {
    const open = this.#text;
    this.#text = undefined;
    return open ? this.#written(open.stream.finish()) : [];
  }

  #closeUnless(index: number): readonly Delta[] {
    if (this.#text === undefined || this.#text.index === index) return [];
    const last = this.end();
    this.#part = { ...this.#part, type: '' };
    return last;
  }

  #renumber(delta: Delta): Delta {
    const known = this.#renumbered.get(delta.index);
    const index = known ?? (this.#text?.index === delta.index ? this.#part.index : this.#open(''));
    this.#renumbered.set(delta.index, index);
    return index === delta.index ? delta : { ...delta, index };
  }

  #open(type: string): number {
    this.#part = { index: this.#part.index + 1, type };
    return this.#part.index;
  }

  #written(pieces: readonly Piece[]): Delta[] {
    return pieces.flatMap((piece): Delta[] => {
      if (piece.type === 'calls') return piece.judged.calls.map((call) => this.#call(call));
      const index = this.#part.type === piece.type ? this.#part.index : this.#open(piece.type);
      return [{ type: 'delta', index, [piece.type]: piece.text }];
    });
  }

  #call(call: Call): Delta {
    const { name, input } = call;
    return { type: 'delta', index: this.#open('call'), id: this.#idFor(call), name, arguments: JSON.stringify(input) };
  }
}
