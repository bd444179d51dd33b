// Hands on the records of a conversion with what the way back needs. One unit waits until the next is known.
import type { Json, JsonObject } from '../ir/json.ts';
import { type Rec, record } from '../ir/record.ts';
import type { Message } from '../ir/types.ts';
import { laden, unburdened } from './carry.ts';
import { identify } from './detect.ts';
import type { Format } from './types.ts';

/** Records that were written together for some records of the source. */
export interface Written {
  readonly of: Format;
  readonly in: Format;
  readonly recs: readonly Rec[];
  readonly natives: readonly Rec[];
  /** For a unit that opens a conversation: whether a head was there, and whether one was written. */
  readonly opening?: { readonly head: boolean; readonly written: boolean };
}

/** What a unit comes back as: records, and the messages at its end that a neighbour could still join. */
export interface Back {
  readonly values: readonly Json[];
  readonly tail: readonly Message[];
}

/** Takes the records of a unit back to the dialect that they came from, as a conversion that knows nothing more would. */
export type ComeBack = (values: readonly JsonObject[], from: Format, to: Format, opening?: Written['opening']) => Back;

export class Carrier {
  readonly #comeBack: ComeBack;
  #held: Written | undefined;
  /** Records that gave nothing to write: they go with the next unit, or with the last. */
  #lost: readonly Rec[] = [];
  /** The end of the unit before, where it carries nothing: the way back could join it to the next. */
  #tail: readonly Message[] = [];
  #after: Rec[] = [];

  constructor(comeBack: ComeBack) {
    this.#comeBack = comeBack;
  }

  /** Takes a unit and returns the records that can be written now. */
  take(unit: Written): Rec[] {
    const held = this.#held;
    const last = held?.recs.at(-1);
    const same = held !== undefined && this.#after.length === 0 && held.of === unit.of && held.in === unit.in;
    const recs = unit.recs.filter((rec) => rec !== last);
    if (same && (unit.natives.length === 0 || recs.length === 0)) {
      this.#held = { ...held, recs: [...held.recs, ...recs], natives: [...held.natives, ...unit.natives] };
      return [];
    }
    if (unit.natives.length === 0) {
      this.#lost = [...this.#lost, ...recs];
      return [];
    }
    const out = this.#release();
    this.#held = { ...unit, recs: [...this.#lost, ...recs] };
    this.#lost = [];
    return out;
  }

  /** A record that goes by as it is. */
  pass(rec: Rec): Rec[] {
    if (this.#held === undefined) return [rec];
    this.#after.push(rec);
    return [];
  }

  /** The conversation is over. */
  end(): Rec[] {
    if (this.#held) this.#held = { ...this.#held, recs: [...this.#held.recs, ...this.#lost] };
    this.#lost = [];
    const out = this.#release();
    this.#tail = [];
    return out;
  }

  #release(): Rec[] {
    const held = this.#held;
    const after = this.#after;
    this.#held = undefined;
    this.#after = [];
    if (held === undefined) return after;
    const out = this.#load(held);
    if (after.length > 0) this.#tail = [];
    return [...out, ...after];
  }

  #load(unit: Written): readonly Rec[] {
    const { of, in: into, recs, natives, opening } = unit;
    const written = natives.map((rec) => unburdened(rec.value as JsonObject));
    const source = recs.map((rec) => rec.value as Json);
    const { values, tail } = this.#comeBack(written, into, of, opening);
    const always = this.#joins(of, into, written) || written.some((value) => isTakenForAnother(value, into, source));
    const about = { of: of.name, in: into.name, source, written, back: values, head: opening?.head };
    const loaded = laden(about, always);
    this.#tail = loaded === written ? tail : [];
    return loaded === written ? natives : natives.map((rec, i) => record(loaded[i] as Json, rec));
  }

  #joins(of: Format, into: Format, [first]: readonly JsonObject[]): boolean {
    if (this.#tail.length === 0 || first === undefined) return false;
    return into.recognise(first)?.kind === 'message' && of.joins(this.#tail, into.readMessage(first));
  }
}

/** Whether a reader could take the record for one of another dialect, and so leave it as it is. */
function isTakenForAnother(value: JsonObject, into: Format, source: readonly Json[]): boolean {
  const alone = identify(value);
  return alone?.format !== into && JSON.stringify([value]) !== JSON.stringify(source);
}
