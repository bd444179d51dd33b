// From one dialect to another, record by record.
import { isObject, type Json, type JsonObject } from '../ir/json.ts';
import { type Rec, record } from '../ir/record.ts';
import type { FormatName, Message } from '../ir/types.ts';
import type { Adapt, Ahead } from './adapt.ts';
import { homeward } from './arrived.ts';
import { type Assembled, Assembly } from './assemble.ts';
import { Calls } from './calls.ts';
import { Carrier, type Written } from './carrier.ts';
import { type Home, Returning } from './carry.ts';
import { Detector } from './detect.ts';
import { Losses } from './losses.ts';
import { misshapen } from './read.ts';
import { FORMATS, formatNamed } from './table.ts';
import type { Format } from './types.ts';
import { theSame } from './unit.ts';

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
  readonly #assembly: Assembly;
  #out: Rec[] = [];
  #calls = new Calls();
  /** A unit that goes back to the dialect it came from, until it is whole. */
  #returning: Returning | undefined;
  #home: Home | undefined;

  constructor(options: ConvertOptions) {
    this.#options = options;
    this.#detector = new Detector(options.from);
    this.#carrier = options.carry ? new Carrier(comeBack) : undefined;
    this.#assembly = new Assembly(options, (unit) => this.#emit(unit));
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

  /** Whether records of this dialect leave as they are. */
  #isSettled(from: Format): boolean {
    return !this.#options.adaptOwn && this.#assembly.target(from) === from;
  }

  #pass(rec: Rec): void {
    this.#flush();
    if (this.#carrier) this.#out.push(...this.#carrier.pass(rec));
    else this.#out.push(rec);
  }

  #takeOwn(rec: Rec): void {
    this.#assembly.begun = true;
    this.#pass(rec);
  }

  #takeHead(rec: Rec, from: Format, ahead?: Ahead): void {
    this.#finish();
    if (this.#isSettled(from)) this.#pass(rec);
    else this.#open(rec, from, ahead);
  }

  #open(rec: Rec, from: Format, ahead: Ahead | undefined): void {
    const { head, messages } = from.readHead(rec.value as JsonObject);
    this.#carrier?.expect(rec);
    const system = messages.map((message) => ({ message, from: from.name, recs: [rec] }));
    this.#assembly.open({ head, rec, from, system, ahead });
  }

  #takeMessage(rec: Rec, from: Format): void {
    const message = this.#followed(from.readMessage(rec.value as JsonObject), from);
    this.#carrier?.expect(rec);
    this.#assembly.add({ message, from: from.name, recs: [rec] }, from);
  }

  #takeReply(rec: Rec, from: Format): void {
    this.#flush();
    const message = this.#followed(from.readReply(rec.value as JsonObject), from);
    this.#carrier?.expect(rec);
    this.#assembly.reply({ message, from: from.name, recs: [rec] }, from);
  }

  /** A message with what the others say of its calls; its own dialect adds nothing to what is in it. */
  #followed(message: Message, from: Format): Message {
    const whole = this.#calls.follow(message, from.name);
    return this.#assembly.target(from) === from ? message : whole;
  }

  #flush(): void {
    this.#comeBack();
    this.#assembly.flush();
  }

  #finish(): void {
    this.#comeBack();
    this.#assembly.finish();
    if (this.#carrier) this.#out.push(...this.#carrier.end());
    this.#calls = new Calls();
  }

  #emit(unit: Assembled): void {
    const of = this.#carrier && unit.of !== unit.in ? formatNamed(unit.of.name) : undefined;
    if (of) this.#out.push(...(this.#carrier?.take({ ...unit, of }) ?? []));
    else for (const native of unit.natives) this.#out.push(native);
  }

  /** A whole conversation on one line. */
  #takeRolled(rec: Rec, from: Format): void {
    this.#finish();
    const { [from.messagesKey]: messages, ...body } = rec.value as JsonObject;
    const inner = new Converter({ ...this.#options, from: from.name });
    const at = (value: JsonObject): Rec => ({ value, file: rec.file, line: rec.line });
    const list = Array.isArray(messages) ? messages : [];
    const ahead = () => list.flatMap((value) => messageIn(value, from));
    if (!inner.#takeReturning(at(body))) inner.#takeHead(at(body), from, ahead);
    for (const value of list) inner.#take(at(value as JsonObject));
    const items = inner.end().map((item) => item.value ?? null);
    const [top, others] = inner.#assembly.hasHead ? [items[0], items.slice(1)] : [{}, items];
    const native = { ...(isObject(top) ? top : {}), [this.#assembly.target(from).messagesKey]: others };
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
    this.#assembly.hasHead ||= returning.hadHead;
    this.#assembly.begun = true;
  }

  /** The records of one unit in the target dialect. */
  bringBack(values: readonly JsonObject[], from: Format, opening: Written['opening']): Json[] {
    this.#assembly.begun = opening === undefined;
    for (const [i, value] of values.entries()) {
      if (i === 0 && opening?.written) this.#takeHead({ value }, from);
      else if (from.recognise(value)?.kind === 'reply') this.#takeReply({ value }, from);
      else this.#takeMessage({ value }, from);
    }
    return this.end().map((rec) => rec.value ?? null);
  }
}

/** The message that a record is, if it is one. */
function messageIn(value: Json, from: Format): Message[] {
  return isObject(value) && from.recognise(value)?.kind === 'message' ? [from.readMessage(value)] : [];
}

/** A unit back to the dialect that it came from, by itself. */
export function comeBack(
  values: readonly JsonObject[],
  from: Format,
  to: Format,
  opening: Written['opening'],
  losses?: Losses,
) {
  const options = { to, from: from.name, losses: losses ?? new Losses(), adapt: homeward(values) };
  return new Converter(options).bringBack(values, from, opening);
}

/** The names of the dialects, for options and errors. */
export const formatNames = (): string[] => FORMATS.map((format) => format.name);
