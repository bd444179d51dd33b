// What a dialect cannot say travels under `_meta.carry`: the difference between what was there and what would come back.

import type { FormatName } from '../conversation/types.ts';
import { identify } from '../dialects/detect.ts';
import { formatNamed } from '../dialects/table.ts';
import type { Format } from '../dialects/types.ts';
import { digest } from '../json/digest.ts';
import { type Change, diff, patched } from '../json/patch.ts';
import { type Rec, record } from '../json/record.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';

/**
 * A unit is the records of one dialect that took the place of some of another. Its first record carries this; the others carry their `part`.
 * A record that carries nothing was not there when the conversation left.
 */
interface Carry {
  /** The dialect that the unit came from, and goes back to. */
  readonly of: FormatName;
  /** The dialect that it is written in. */
  readonly in: FormatName;
  /** How many records it has. */
  readonly records?: number;
  /** This record's place in the unit, from 1; it is not the first. */
  readonly part?: number;
  /** The unit opens a conversation; whether a head was there. */
  readonly head?: boolean;
  /** The digest of this record as it was written, without its `_meta`. */
  readonly seal: string;
  /** The digest of what its records say and the way back does not. */
  readonly hidden?: string;
  readonly patch?: readonly Change[];
}

/** Where a conversation came from, and how it is written. */
export type Home = Pick<Carry, 'of' | 'in'>;

/** What a record carries; undefined if it carries nothing that was made for it. `from` is the dialect that the stream is said to be in. */
function carryOf(value: Json | undefined, from: FormatName | undefined): Carry | undefined {
  const meta = isObject(value) ? value._meta : undefined;
  const carry = isObject(meta) ? meta.carry : undefined;
  if (!isObject(value) || !isObject(carry)) return undefined;
  if (typeof carry.of !== 'string' || typeof carry.in !== 'string' || carry.of === carry.in) return undefined;
  const named = carry as unknown as Carry;
  return isSealed(value, named) || isEdited(value, named, from) ? named : undefined;
}

/** The dialect that a record was written in, if it carries something and says what it said then. */
export function writtenIn(value: Json | undefined): FormatName | undefined {
  if (!isObject(value) || value._meta === undefined) return undefined;
  const carry = carryOf(value, undefined);
  return carry && isSealed(value, carry) ? carry.in : undefined;
}

const isSealed = (value: JsonObject, { seal }: Carry): boolean => seal === sealOf(value);

function sealOf({ _meta, ...said }: JsonObject): string {
  return digest(said);
}

/** Whether a record that says something else than when it was written is still one of that dialect: another converter may have kept its `_meta`. */
function isEdited(value: JsonObject, { in: dialect, head, records }: Carry, from: FormatName | undefined): boolean {
  if (records === 0 || (from ?? dialect) !== dialect) return false;
  const identity = identify(unburdened(value), dialect);
  // A head of few fields may fit no dialect by itself.
  return identity === undefined ? head !== undefined : identity.format.name === dialect;
}

/** The record without what it carries. */
export function unburdened(value: JsonObject): JsonObject {
  const { _meta, ...rest } = value;
  const meta = isObject(_meta) ? withoutCarry(_meta) : _meta;
  return meta === _meta ? value : meta === undefined ? rest : { ...rest, _meta: meta as Json };
}

/** A `_meta` without what it carries, for a record that is written anew: undefined if nothing is left of it. */
export function withoutCarry(meta: JsonObject | undefined): JsonObject | undefined {
  if (!isObject(meta) || meta.carry === undefined) return meta;
  const { carry: _, ...rest } = meta;
  return Object.keys(rest).length > 0 ? rest : undefined;
}

/** Why a record that is written anew carries nothing of the old one. */
export const whyNotCarried = (from: FormatName): string => `it holds what a record in ${from} lost`;

/** A unit: its records, the source's, and those that would come back. */
interface Unit {
  readonly of: FormatName;
  readonly in: FormatName;
  readonly source: readonly Json[];
  readonly written: readonly JsonObject[];
  readonly back: readonly Json[];
  /** For a unit that opens a conversation: whether a head was there. */
  readonly head?: boolean;
}

/** The records of a unit with what is missing on the way back. */
export function laden({ of, in: into, source, written, back, head }: Unit): readonly JsonObject[] {
  const changes = diff([...back], [...source], head === undefined ? isLoose : () => true);
  const hidden = changes.some((change) => change.order?.some(isObject)) ? hiddenIn(written, back) : undefined;
  const first = {
    ...(written.length > 1 && { records: written.length }),
    ...(head !== undefined && { head }),
    ...(changes.length > 0 && { patch: changes as unknown as Json }),
    ...(hidden !== undefined && { hidden }),
  };
  return written.map((value, i) =>
    withCarry(value, { of, in: into, ...(i > 0 ? { part: i } : first), seal: sealOf(value) }),
  );
}

/** A record that only carries: what is left of a conversation of which nothing can be said. */
export const empty = ({ of, in: into }: Home, source: readonly Json[]): JsonObject => {
  const patch = diff([], [...source], () => true) as unknown as Json;
  return { _meta: { carry: { of, in: into, records: 0, patch, seal: sealOf({}) } } };
};

function withCarry(value: JsonObject, carry: Json): JsonObject {
  const meta = isObject(value._meta) ? value._meta : {};
  return { ...value, _meta: { ...meta, carry } };
}

/** A flag or a name of a message stands whatever its text says; all else means the text beside it (offsets, signatures). */
function isLoose(at: string, value: Json): boolean {
  return at.split('/').length === 3 && (typeof value !== 'object' || value === null);
}

/** The source's records again, with every edit that was made since. `written` are the unit's records as they are now. */
function unladen(carry: Carry, written: readonly JsonObject[], untouched: boolean, back: readonly Json[]): Json[] {
  const seen = untouched || carry.hidden === undefined || carry.hidden === hiddenIn(written, back);
  const source = patched([...back], carry.patch, seen ? undefined : 'old');
  return Array.isArray(source) ? source : [source];
}

/**
 * The digest of the texts that the written records have and those that would come back have not: reasoning without its signature, say. Who
 * edits such a text means what is carried in its place.
 */
function hiddenIn(written: readonly JsonObject[], back: readonly Json[]): string {
  const shown = new Set<string>();
  eachText(back, '', (_, text) => shown.add(text));
  const hidden: Json[] = [];
  eachText(written, '', (at, text) => {
    if (!shown.has(text)) hidden.push([at, text]);
  });
  return digest(hidden);
}

function eachText(
  value: Json | readonly Json[] | undefined,
  at: string,
  found: (at: string, text: string) => void,
): void {
  if (typeof value === 'string') found(at, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) eachText(item as Json, `${at}/${key}`, found);
}

/** The records of a unit that goes back, as they arrive. */
export class Returning {
  readonly #carry: Carry;
  readonly #recs: Rec[];
  /** Whether each record says what it said when it was written. */
  #untouched: boolean;

  private constructor(carry: Carry, rec: Rec) {
    this.#carry = carry;
    this.#recs = [rec];
    this.#untouched = isSealed(rec.value as JsonObject, carry);
  }

  /** The unit that begins with this record, if there is one and it came from `to`. `from` is the dialect that the stream is said to be in. */
  static begin(rec: Rec, to: FormatName, from: FormatName | undefined): Returning | undefined {
    const carry = carryOf(rec.value, from);
    if (carry === undefined || carry.of !== to || carry.part !== undefined) return undefined;
    const format = formatNamed(carry.in);
    // What the top of a rolled-up line carries is for the head in it.
    if (format === undefined || Array.isArray((rec.value as JsonObject)[format.messagesKey])) return undefined;
    return new Returning(carry, rec);
  }

  /** Whether the record is the next of the unit; if so, it is taken. */
  add(rec: Rec, from: FormatName | undefined): boolean {
    const carry = carryOf(rec.value, from);
    if (carry?.part !== this.#recs.length || carry.of !== this.#carry.of || carry.in !== this.#carry.in) return false;
    this.#recs.push(rec);
    this.#untouched &&= isSealed(rec.value as JsonObject, carry);
    return true;
  }

  get isWhole(): boolean {
    return this.#recs.length >= (this.#carry.records ?? 1);
  }

  /** The dialect that it is written in. */
  get from(): FormatName {
    return this.#carry.in;
  }

  get written(): JsonObject[] {
    return this.#carry.records === 0 ? [] : this.#recs.map((rec) => unburdened(rec.value as JsonObject));
  }

  get opens(): boolean {
    return this.#carry.head !== undefined;
  }

  get hadHead(): boolean {
    return this.#carry.head === true;
  }

  /** For a unit that opens a conversation: whether its source had a head, and whether it has one. */
  opening(from: Format): { head: boolean; written: boolean } | undefined {
    const { head } = this.#carry;
    const [first] = this.written;
    return head === undefined ? undefined : { head, written: !first || from.recognise(first)?.kind !== 'message' };
  }

  /** Whether the unit says what it said when it was written, and so nothing of it is lost. */
  get isUntouched(): boolean {
    return this.#untouched && this.isWhole;
  }

  /** The source's records. `back` are those of a conversion that knows nothing more. */
  restored(back: readonly Json[]): Rec[] {
    const values = unladen(this.#carry, this.written, this.isUntouched, back);
    return values.map((value, i) => record(value, this.#recs[Math.min(i, this.#recs.length - 1)]));
  }
}
