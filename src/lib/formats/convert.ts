// From one dialect to another: record by record, with one message of look-ahead where messages share a record.
import { isObject, type Json, type JsonObject } from '../ir/json.ts';
import { type Rec, record } from '../ir/record.ts';
import type { FormatName, Lose, Message } from '../ir/types.ts';
import { type Adapt, type Adaptation, isList, type Read } from './adapt.ts';
import { Carrier, type Written } from './carrier.ts';
import { type Home, Returning } from './carry.ts';
import { Detector } from './detect.ts';
import { Losses, sayResiduals } from './losses.ts';
import { misshapen } from './read.ts';
import { FORMATS, formatNamed } from './table.ts';
import type { Format } from './types.ts';
import { type Opening, sourcesOf, theSame, writeGroup, writeOpening } from './unit.ts';

export interface ConvertOptions {
  /** The dialect to write; without it each record stays in its own, and only `adapt` changes it. */
  readonly to?: Format;
  /** The dialect to read; found out record by record if it is not given. */
  readonly from?: FormatName;
  readonly losses: Losses;
  /** What is changed on the way. */
  readonly adapt?: Adapt;
  /** Records that are in the target dialect already are adapted too. */
  readonly adaptOwn?: boolean;
  /** Keep in `_meta.carry` what the way back needs. */
  readonly carry?: boolean;
}

/** Turns a stream into another dialect. What is in that dialect already leaves as it came. */
export class Converter {
  readonly #options: ConvertOptions;
  readonly #carrier: Carrier | undefined;
  readonly #detector: Detector;
  #out: Rec[] = [];
  #adaptation: Adaptation | undefined;
  #opening: Opening | undefined;
  #begun = false;
  /** Messages that may share a record of the target. */
  #group: Read[] = [];
  #messages: Message[] = [];
  /** A unit that goes back to the dialect it came from, until it is whole. */
  #returning: Returning | undefined;
  #home: Home | undefined;
  #hasHead = false;
  #loseFrom: Format | undefined;
  #loser: Lose = () => {};

  constructor(options: ConvertOptions) {
    this.#options = options;
    this.#detector = new Detector(options.from);
    this.#carrier = options.carry ? new Carrier(comeBack) : undefined;
  }

  /** Takes one record and returns those that can be written now. After an error `drain` has those before the bad one. */
  push(rec: Rec): Rec[] {
    this.#options.losses.at(rec);
    try {
      this.#take(rec);
    } catch (error) {
      throw misshapen(error, rec);
    }
    return this.drain();
  }

  /** The last conversation is over. */
  end(): Rec[] {
    this.#finish();
    return this.drain();
  }

  /** What was written and not yet handed out. */
  drain(): Rec[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #take(rec: Rec): void {
    if (this.#takeReturning(rec)) return;
    const identity = this.#detector.identify(rec.value);
    const kind = identity?.kind;
    if (identity === undefined) this.#pass(rec);
    else if (kind === 'head') this.#takeHead(rec, identity.format);
    else if (this.#isSettled(identity.format)) this.#takeOwn(rec);
    else if (kind === 'conversation') this.#takeRolled(rec, identity.format);
    else if (kind === 'reply') this.#takeReply(rec, identity.format);
    else this.#takeMessage(rec, identity.format);
  }

  #target(from: Format): Format {
    return this.#options.to ?? from;
  }

  /** Whether records of this dialect leave as they are. */
  #isSettled(from: Format): boolean {
    return !this.#options.adaptOwn && this.#target(from) === from;
  }

  #pass(rec: Rec): void {
    this.#flush();
    if (this.#carrier) this.#out.push(...this.#carrier.pass(rec));
    else this.#out.push(rec);
  }

  #takeOwn(rec: Rec): void {
    this.#begun = true;
    this.#pass(rec);
  }

  #takeHead(rec: Rec, from: Format): void {
    this.#finish();
    if (this.#isSettled(from)) this.#pass(rec);
    else this.#open(rec, from);
  }

  #open(rec: Rec, from: Format): void {
    const { head: read, messages } = from.readHead(rec.value as JsonObject);
    this.#carrier?.expect(rec);
    const head = this.#adapting(from)?.head(read, this.#lose(from), from.name) ?? read;
    const system = messages.flatMap((message) => this.#adapted({ message, from: from.name, recs: [rec] }, from));
    this.#opening = { head, rec, from, system };
    // Its own dialect keeps its own system messages where they are.
    if (this.#target(from) === from) this.#writeOpening();
  }

  #takeMessage(rec: Rec, from: Format): void {
    const read = { message: from.readMessage(rec.value as JsonObject), from: from.name, recs: [rec] };
    this.#carrier?.expect(rec);
    const adapted = this.#options.adapt ? this.#adapted(read, from) : read;
    if (isList(adapted)) for (const one of adapted) this.#place(one, from);
    else this.#place(adapted, from);
  }

  #adapting(from: Format): Adaptation | undefined {
    this.#adaptation ??= this.#options.adapt?.(this.#target(from).name);
    return this.#adaptation;
  }

  #adapted(read: Read, from: Format): Read | readonly Read[] {
    return this.#adapting(from)?.read?.(read, this.#lose(from)) ?? read;
  }

  #place(read: Read, from: Format): void {
    const { role } = read.message;
    const to = this.#target(from);
    if (!this.#begun && from !== to && (role === 'system' || role === 'developer')) {
      this.#opening ??= { from, system: [] };
      this.#opening.system.push(read);
      return;
    }
    this.#begun = true;
    if (this.#group[0]?.from === read.from && from !== to && to.joins(this.#messages, read.message)) {
      this.#group.push(read);
      this.#messages.push(read.message);
      return;
    }
    this.#write();
    this.#group = [read];
    this.#messages = [read.message];
  }

  /** Writes what waits, and what the adaptation holds back. */
  #flush(): void {
    this.#comeBack();
    const from = formatNamed(this.#group.at(-1)?.from ?? this.#opening?.from.name ?? '');
    if (from) for (const read of this.#adaptation?.end?.(this.#lose(from)) ?? []) this.#place(read, from);
    this.#write();
  }

  #finish(): void {
    this.#flush();
    if (this.#carrier) this.#out.push(...this.#carrier.end());
    this.#adaptation = undefined;
    this.#begun = false;
  }

  #write(): void {
    this.#writeOpening();
    const group = this.#group;
    this.#group = [];
    const from = formatNamed(group[0]?.from ?? '');
    if (from === undefined) return;
    const first = group[0]?.recs[0];
    this.#options.losses.at(first);
    try {
      const to = this.#target(from);
      const natives = writeGroup(this.#messages, first, from, to, this.#lose(from));
      if (this.#carrier) this.#emit({ of: from, in: to, recs: sourcesOf(group), natives });
      else for (const native of natives) this.#out.push(native);
    } catch (error) {
      throw first ? misshapen(error, first) : error;
    }
  }

  #writeOpening(): void {
    const opening = this.#opening;
    if (opening === undefined) return;
    this.#opening = undefined;
    const { from, system, rec, head } = opening;
    const recs = [...new Set([...(rec ? [rec] : []), ...sourcesOf(system)])];
    this.#options.losses.at(recs[0]);
    const to = this.#target(from);
    const written = writeOpening(opening, to, this.#lose(from));
    this.#hasHead = written.head;
    const opened = { head: head !== undefined, written: written.head };
    this.#emit({ of: from, in: to, recs, natives: written.natives, opening: opened });
  }

  #emit(unit: Written): void {
    if (this.#carrier && unit.of !== unit.in) this.#out.push(...this.#carrier.take(unit));
    else this.#out.push(...unit.natives);
  }

  #lose(from: Format): Lose {
    if (this.#loseFrom !== from) {
      this.#loseFrom = from;
      this.#loser = this.#options.losses.between(from.name, this.#target(from).name);
    }
    return this.#loser;
  }

  #takeReply(rec: Rec, from: Format): void {
    this.#flush();
    const to = this.#target(from);
    const read = from.readReply(rec.value as JsonObject);
    this.#carrier?.expect(rec);
    const adapted = this.#adapted({ message: read, from: from.name, recs: [rec] }, from);
    const message = isList(adapted) ? read : adapted.message;
    if (from !== to) sayResiduals([message], from.name, this.#lose(from));
    const native = to.writeReply(message, this.#lose(from));
    this.#emit({ of: from, in: to, recs: [rec], natives: [theSame(native, rec) ?? record(native, rec)] });
  }

  /** A whole conversation on one line. */
  #takeRolled(rec: Rec, from: Format): void {
    this.#finish();
    const { [from.messagesKey]: messages, ...body } = rec.value as JsonObject;
    const inner = new Converter({ ...this.#options, from: from.name });
    const at = (value: JsonObject): Rec => ({ value, file: rec.file, line: rec.line });
    if (!inner.#takeReturning(at(body))) inner.#takeHead(at(body), from);
    for (const value of Array.isArray(messages) ? messages : []) inner.#take(at(value as JsonObject));
    const items = inner.end().map((item) => item.value ?? null);
    const [top, others] = inner.#hasHead ? [items[0], items.slice(1)] : [{}, items];
    const native = { ...(isObject(top) ? top : {}), [this.#target(from).messagesKey]: others };
    this.#out.push(theSame(native, rec) ?? record(native, rec));
  }

  /** Takes a record of a unit that goes back to the dialect it came from. */
  #takeReturning(rec: Rec): boolean {
    const { to } = this.#options;
    if (to === undefined) return false;
    if (!this.#returning?.add(rec)) {
      const found = Returning.begin(rec, to.name, this.#home);
      if (this.#returning || found) this.#flush();
      if (found === undefined) return false;
      if (found.opens) this.#finish();
      this.#returning = found;
      this.#home = found.home;
    }
    if (this.#returning?.isWhole) this.#comeBack();
    return true;
  }

  #comeBack(): void {
    const returning = this.#returning;
    if (returning === undefined) return;
    this.#returning = undefined;
    const from = formatNamed(returning.from) as Format;
    this.#detector.current = from.name;
    const losses = returning.isUntouched ? new Losses() : this.#options.losses;
    const back = comeBack(returning.written, from, this.#options.to as Format, returning.opening(from), losses);
    this.#out.push(...returning.restored(back));
    this.#hasHead ||= returning.hadHead;
    this.#begun = true;
  }

  /** The records of one unit in the target dialect. */
  bringBack(values: readonly JsonObject[], from: Format, opening: Written['opening']): Json[] {
    this.#begun = opening === undefined;
    for (const [i, value] of values.entries()) {
      if (i === 0 && opening?.written) this.#takeHead({ value }, from);
      else if (from.recognise(value)?.kind === 'reply') this.#takeReply({ value }, from);
      else this.#takeMessage({ value }, from);
    }
    return this.end().map((rec) => rec.value ?? null);
  }
}

/** A unit back to the dialect that it came from, by itself. */
export function comeBack(
  values: readonly JsonObject[],
  from: Format,
  to: Format,
  opening: Written['opening'],
  losses?: Losses,
) {
  return new Converter({ to, from: from.name, losses: losses ?? new Losses() }).bringBack(values, from, opening);
}

/** The names of the dialects, for options and errors. */
export const formatNames = (): string[] => FORMATS.map((format) => format.name);
