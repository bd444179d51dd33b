// Hands on the records of a conversion with what the way back needs. One unit waits until the next is known.

import type { Format } from '../dialects/types.ts';
import { type Rec, record } from '../json/record.ts';
import type { Json, JsonObject } from '../json/values.ts';
import { empty, type Home, laden, unburdened } from './carry.ts';

/** Records that were written together for some records of the source. */
export interface Written {
  readonly of: Format;
  readonly in: Format;
  readonly recs: readonly Rec[];
  readonly natives: readonly Rec[];
  /** For a unit that opens a conversation: whether a head was there, and whether one was written. */
  readonly opening?: { readonly head: boolean; readonly written: boolean };
}

/** A unit that may still grow. */
interface Held extends Pick<Written, 'of' | 'in' | 'opening'> {
  readonly recs: Set<Rec>;
  readonly natives: Rec[];
  /** The place in the source of its last record. */
  last: number;
}

/** Takes the records of a unit back to the dialect that they came from, as a conversion that knows nothing more would. */
type ComeBack = (values: readonly JsonObject[], from: Format, to: Format, opening?: Written['opening']) => Json[];

export class Carrier {
  readonly #comeBack: ComeBack;
  #held: Held | undefined;
  /** The source's records that are not yet handed out, and their order. */
  readonly #order = new Map<Rec, number>();
  readonly #unseen = new Set<Rec>();
  #count = 0;
  /** Records that gave nothing to write: they go with the next unit, or with the last. */
  readonly #lost: Rec[] = [];
  #lostHome: Home | undefined;
  #after: Rec[] = [];

  constructor(comeBack: ComeBack) {
    this.#comeBack = comeBack;
  }

  /** A record of the source was read: it will come with a unit. */
  expect(rec: Rec): void {
    this.#count += 1;
    this.#order.set(rec, this.#count);
    this.#unseen.add(rec);
  }

  /** Takes a unit and returns the records that can be written now. */
  take(unit: Written): Rec[] {
    const held = this.#held;
    const same = held !== undefined && this.#after.length === 0 && held.of === unit.of && held.in === unit.in;
    const recs = held ? unit.recs.filter((rec) => !held.recs.has(rec)) : unit.recs;
    const late = held !== undefined && this.#isLate(recs, held);
    for (const rec of unit.recs) this.#unseen.delete(rec);
    if (same && (unit.natives.length === 0 || recs.length === 0 || late)) {
      this.#add(held, recs);
      held.natives.push(...unit.natives);
      return [];
    }
    if (unit.natives.length === 0) {
      this.#lost.push(...recs);
      this.#lostHome = { of: unit.of.name, in: unit.in.name };
      return [];
    }
    const out = this.#release();
    const { of, in: into, opening } = unit;
    const next = { of, in: into, opening, recs: new Set<Rec>(), natives: [...unit.natives], last: 0 };
    this.#add(next, this.#lost.splice(0));
    this.#add(next, recs);
    this.#held = next;
    return out;
  }

  #add(held: Held, recs: readonly Rec[]): void {
    for (const rec of recs) {
      held.recs.add(rec);
      held.last = Math.max(held.last, this.#order.get(rec) ?? 0);
    }
  }

  /** Whether something that stood before the end of the held unit comes now, or is still to come: the order was changed. */
  #isLate(recs: readonly Rec[], { last }: Held): boolean {
    const [oldest] = this.#unseen;
    const isOlder = (rec: Rec): boolean => (this.#order.get(rec) ?? last) < last;
    return recs.some(isOlder) || (oldest !== undefined && isOlder(oldest));
  }

  /** A record that goes by as it is. */
  pass(rec: Rec): Rec[] {
    const out = [...this.#alone(), rec];
    if (this.#held === undefined) return out;
    this.#after.push(...out);
    return [];
  }

  /** The conversation is over. */
  end(): Rec[] {
    if (this.#held) this.#add(this.#held, this.#lost);
    if (this.#held) this.#lost.length = 0;
    const out = [...this.#release(), ...this.#alone()];
    return out;
  }

  /** Records that gave nothing to write, in one that only carries. */
  #alone(): Rec[] {
    const [first, ...rest] = this.#lost.splice(0);
    if (first === undefined || this.#lostHome === undefined) return [];
    return [record(empty(this.#lostHome, this.#sources(new Set([first, ...rest]))), first)];
  }

  #release(): Rec[] {
    const held = this.#held;
    const after = this.#after;
    this.#held = undefined;
    this.#after = [];
    if (held === undefined) return after;
    return [...this.#load(held), ...after];
  }

  #load(unit: Held): readonly Rec[] {
    const { of, in: into, recs, natives, opening } = unit;
    const written = natives.map((rec) => unburdened(rec.value as JsonObject));
    const source = this.#sources(recs);
    const back = this.#comeBack(written, into, of, opening);
    const loaded = laden({ of: of.name, in: into.name, source, written, back, head: opening?.head });
    return natives.map((rec, i) => record(loaded[i] as Json, rec));
  }

  #sources(recs: ReadonlySet<Rec>): Json[] {
    const order = [...recs].map((rec) => [this.#order.get(rec) ?? 0, rec] as const);
    for (const rec of recs) this.#order.delete(rec);
    return order.sort(([a], [b]) => a - b).map(([, rec]) => rec.value ?? null);
  }
}
