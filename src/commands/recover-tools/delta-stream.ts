// The deltas of one reply, with the calls in their texts made real. The parts are counted anew, since a text may become several.
import type { Delta } from '../../lib/conversation/delta.ts';
import type { Json } from '../../lib/json/values.ts';
import type { Call, Judged } from './judge.ts';
import type { TextRules } from './text.ts';
import { TextStream } from './text-stream.ts';
import type { StreamPiece } from './told.ts';
import { Twins } from './twins.ts';

/** A text that is being written, and whether it is the part's reasoning. */
interface Open {
  readonly index: number;
  readonly thought: boolean;
  readonly stream: TextStream;
}

export class DeltaStream {
  readonly #rules: Omit<TextRules, 'last'>;
  readonly #idFor: (call: Call) => string;
  #text: Open | undefined;
  /** What follows a text that only the whole reply decides. */
  #after: Delta[] | undefined;
  /** Structured calls as they came, by their part. */
  readonly #structured = new Map<number, { id: string; name: string; given: string }>();
  readonly #twins = new Twins();
  /** The last part that is no call. */
  #last = -1;
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
    this.#note(delta);
    if (this.#text && this.#text.index !== delta.index && this.#text.stream.holds) this.#after ??= [];
    if (this.#after === undefined) return this.#pass(delta);
    this.#after.push(delta);
    return [];
  }

  /** What was held back. */
  end(): readonly Delta[] {
    for (const { id, name, given } of this.#structured.values())
      this.#twins.add({ name, input: parsed(given) }, id, '');
    const after = this.#after ?? [];
    return [...after.flatMap((delta) => this.#pass(delta)), ...this.#close()];
  }

  #note({ index, id, name, arguments: given }: Delta): void {
    const known = this.#structured.get(index);
    if (known) known.given += given ?? '';
    else if (name !== undefined) this.#structured.set(index, { id: id ?? '', name, given: given ?? '' });
    else this.#last = Math.max(this.#last, index);
  }

  #pass(delta: Delta): readonly Delta[] {
    const { index, reasoning } = delta;
    const said = delta.text ?? (this.#rules.inReasoning ? reasoning : undefined);
    const closed = this.#text && this.#text.index !== index ? this.#close() : [];
    if (said === undefined) return [...closed, this.#renumber(delta)];
    this.#text ??= { index, thought: delta.text === undefined, stream: new TextStream(this.#rules) };
    const out = this.#written(this.#text.stream.feed(said), this.#text.thought);
    const [only] = out;
    const same =
      out.length === 1 && only?.text === delta.text && only?.reasoning === reasoning && only?.index === index;
    return [...closed, ...(same ? [delta] : out)];
  }

  #close(): readonly Delta[] {
    const open = this.#text;
    this.#text = undefined;
    if (open === undefined) return [];
    const last = this.#written(open.stream.finish(open.index === this.#last), open.thought);
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

  #written(pieces: readonly StreamPiece[], thought: boolean): Delta[] {
    return pieces.flatMap((piece): Delta[] => {
      if (piece.type === 'calls') return this.#calls(piece.judged);
      const type = thought ? 'reasoning' : piece.type;
      const index = piece.goesOn && this.#part.type === type ? this.#part.index : this.#open(type);
      return [{ type: 'delta', index, [type]: piece.text }];
    });
  }

  #calls({ calls, format }: Judged): Delta[] {
    return calls.flatMap((call): Delta[] => {
      if (this.#twins.of(call, format) !== undefined) return [];
      const { name, input } = call;
      const id = this.#idFor(call);
      this.#twins.add(call, id, format);
      return [{ type: 'delta', index: this.#open('call'), id, name, arguments: JSON.stringify(input) }];
    });
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
