// From one dialect to another, record by record.

import type { FormatName, Message } from '../conversation/types.ts';
import { Calls } from '../dialects/codec/call-ids.ts';
import { Detector, type Identity } from '../dialects/detect.ts';
import { messageIn, misshapen, readAs, readHeadAs } from '../dialects/read-record.ts';
import { formatNamed } from '../dialects/table.ts';
import { apart, type Format, type Named, type Transcript } from '../dialects/types.ts';
import { type Rec, record } from '../json/record.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import type { Ahead } from './adaptation.ts';
import { type Assembled, Assembly } from './assemble.ts';
import { type Envelope, identityIn, openEnvelope, resealed, resealedError } from './batch-lines.ts';
import { Carrier, type Written } from './carrier.ts';
import { Returning, writtenIn } from './carry.ts';
import type { ConvertOptions } from './convert-options.ts';
import { Hiding } from './hiding.ts';
import { Losses } from './losses.ts';
import { rolledUp, theSame } from './target-records.ts';
import { headWith } from './transcript.ts';
import { homeward } from './undo-adaptations.ts';

type Values = readonly JsonObject[];

/** Turns a stream into another dialect. What is in that dialect already leaves as it came. */
export class Converter {
  readonly #options: ConvertOptions;
  readonly #carrier: Carrier | undefined;
  readonly #detector: Detector;
  readonly #assembly: Assembly;
  #out: Rec[] = [];
  #calls = new Calls();
  #parted = false;
  /** Whether this converts the messages of one line. */
  #inside = false;
  /** A unit that goes back to the dialect it came from, until it is whole. */
  #returning: Returning | undefined;
  readonly #hiding: Hiding;

  constructor(options: ConvertOptions) {
    this.#options = options;
    this.#detector = new Detector(options.from);
    this.#carrier = options.carry ? new Carrier(comeBack) : undefined;
    this.#assembly = new Assembly(options, (unit) => this.#emit(unit));
    this.#hiding = new Hiding(this.#assembly, options);
  }

  /** Takes one record and returns those that can be written now. After an error `drain` has those before the bad one. */
  push(rec: Rec): Rec[] {
    this.#guarded(rec);
    return this.drain();
  }

  /** The same, into a list; after an error it has those before the bad one. */
  pushTo(rec: Rec, out: Rec[]): void {
    const own = this.#out;
    if (own.length > 0) out.push(...own.splice(0));
    this.#out = out;
    try {
      this.#guarded(rec);
    } finally {
      this.#out = own;
    }
  }

  /** The dialect of the next record, where that alone may not tell it. */
  speaks(dialect: FormatName): void {
    this.#detector.current = dialect;
  }

  /** Takes a conversation that was read from a log or a text; `place` stands for where it was read. */
  pushTranscript(transcript: Transcript, from: Named, place: Rec): Rec[] {
    this.#finish();
    const read = headWith(transcript);
    // Without a head nothing would part this conversation from the one before it.
    const head = Object.keys(read).length > 0 ? read : this.#parted ? { meta: {} } : undefined;
    this.#parted = true;
    this.#assembly.open({ head, rec: place, from, system: [] });
    for (const message of transcript.messages) this.#assembly.add({ message, from: from.name, recs: [place] }, from);
    return this.end();
  }

  /** The same on one line, for a conversation that was one record. */
  pushRolled(transcript: Transcript, from: Named, place: Rec): Rec[] {
    this.#finish();
    const inner = new Converter(this.#options);
    const items = inner.pushTranscript(transcript, from, place);
    this.#out.push(record(rolledUp(items, inner.#assembly.hasHead, this.#assembly.target(from)), place));
    return this.drain();
  }

  /** The last conversation is over. */
  end(): Rec[] {
    this.#finish();
    return this.drain();
  }

  /** What was written and not yet handed out. */
  drain(): Rec[] {
    return this.#out.splice(0);
  }

  #guarded(rec: Rec): void {
    this.#options.losses.at(rec);
    try {
      this.#take(rec);
    } catch (error) {
      throw misshapen(error, rec);
    }
  }

  #take(rec: Rec): void {
    if (this.#takeReturning(rec)) return;
    this.#detector.current = writtenIn(rec.value) ?? this.#detector.current;
    const identity = this.#detector.identify(rec.value);
    if (this.#hiding.takes(rec, identity)) return;
    const kind = identity?.kind;
    if (identity === undefined) this.#takeOther(rec);
    else if (kind === 'head') this.#takeHead(rec, identity.format);
    else if (this.#isSettled(identity.format)) this.#takeOwn(rec);
    else if (kind === 'conversation') this.#takeRolled(rec, identity.format);
    else if (kind === 'reply' && !this.#inside) this.#takeReply(rec, identity.format);
    else this.#takeMessage(rec, identity);
  }

  /** Whether records of this dialect leave as they are. */
  #isSettled(from: Format): boolean {
    return !this.#options.adaptOwn && this.#assembly.target(from) === from;
  }

  #pass(rec: Rec): void {
    this.#flush();
    this.#out.push(...(this.#carrier?.pass(rec) ?? [rec]));
  }

  /** A line of a batch, or a record that is no part of a conversation: inside of one there can be none. */
  #takeOther(rec: Rec): void {
    const { value } = rec;
    const envelope = isObject(value) && !this.#inside ? openEnvelope(value) : undefined;
    const what = String(isObject(value) ? value.type : value);
    if (this.#inside) this.#assembly.lose(formatNamed(this.#options.from ?? '') as Format)(what, 'it is not a message');
    else if (envelope === undefined) this.#pass(rec);
    else {
      this.#finish();
      this.#out.push(this.#inEnvelope(rec, envelope));
    }
  }

  /** The body of a request, or a reply, in the envelope of the target's vendor. What is in that dialect already stays. */
  #inEnvelope(rec: Rec, envelope: Envelope): Rec {
    const { body } = envelope;
    if (body === undefined) return resealedError(rec, envelope, this.#options.to?.name);
    const identity = identityIn(envelope, this.#options.from, this.#detector.current);
    if (identity === undefined) return rec;
    const native = this.#alone({ ...rec, value: body, source: undefined }, identity);
    return resealed(rec, envelope, native, this.#assembly.target(identity.format).name);
  }

  /** A request or a reply by itself. */
  #alone(rec: Rec, { format, kind }: Identity): JsonObject {
    if (this.#isSettled(format)) return rec.value as JsonObject;
    const inner = new Converter({ ...this.#options, from: format.name });
    if (kind === 'reply') inner.#takeReply(rec, format);
    else inner.#takeRolled(rec, format);
    return inner.end()[0]?.value as JsonObject;
  }

  #takeOwn(rec: Rec): void {
    this.#assembly.begun = true;
    this.#pass(rec);
  }

  #takeHead(rec: Rec, from: Format, ahead: Ahead | undefined = this.#options.ahead): void {
    this.#finish();
    if (this.#isSettled(from)) {
      this.#pass(rec);
      return;
    }
    const { head, messages } = readHeadAs(rec.value as JsonObject, from);
    this.#carrier?.expect(rec);
    const system = messages.map((message) => ({ message, from: from.name, recs: [rec] }));
    this.#assembly.open({ head, rec, from, system, ahead });
  }

  #takeMessage(rec: Rec, as: Pick<Identity, 'format' | 'kind'>): void {
    const message = this.#followed(readAs(rec.value as JsonObject, as), as.format);
    this.#carrier?.expect(rec);
    this.#assembly.add({ message, from: as.format.name, recs: [rec] }, as.format);
  }

  #takeReply(rec: Rec, from: Format): void {
    this.#flush();
    const read = readAs(rec.value as JsonObject, { format: from, kind: 'reply' });
    const followed = this.#assembly.target(from) === from ? read : this.#calls.followReply(read, from.name);
    const { now } = this.#options;
    const message = now && followed.at === undefined ? { ...followed, at: now() } : followed;
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
    if (this.#carrier) for (const one of this.#carrier.end()) this.#out.push(one);
    this.#calls = new Calls();
  }

  #emit(unit: Assembled): void {
    const of = this.#carrier && unit.of !== unit.in ? formatNamed(unit.of.name) : undefined;
    for (const native of (of && this.#carrier?.take({ ...unit, of })) ?? unit.natives) this.#out.push(native);
  }

  /** A whole conversation on one line. */
  #takeRolled(rec: Rec, from: Format): void {
    this.#finish();
    const { body, messages } = apart(rec.value as JsonObject, from);
    const inner = new Converter({ ...this.#options, from: from.name });
    inner.#inside = true;
    const ahead = () => messages.flatMap((value) => messageIn(value as Json, from));
    if (!inner.#takeReturning(record(body, rec))) inner.#takeHead(record(body, rec), from, ahead);
    for (const value of messages) inner.#take(record(value, rec));
    const native = rolledUp(inner.end(), inner.#assembly.hasHead, this.#assembly.target(from));
    this.#out.push(theSame(native, rec) ?? record(native, rec));
  }

  /** Takes a record of a unit that goes back to the dialect it came from. */
  #takeReturning(rec: Rec): boolean {
    const { to, from } = this.#options;
    if (to === undefined) return false;
    if (!this.#returning?.add(rec, from)) {
      const found = Returning.begin(rec, to.name, from);
      if (this.#returning || found) this.#flush();
      if (found === undefined) return false;
      if (found.opens) this.#finish();
      this.#returning = found;
    }
    if (this.#returning?.isWhole) this.#comeBack();
    return true;
  }

  #comeBack(): void {
    this.#hiding.end();
    const returning = this.#returning;
    if (returning === undefined) return;
    this.#returning = undefined;
    const from = formatNamed(returning.from) as Format;
    this.#detector.current = from.name;
    const losses = returning.isUntouched ? new Losses() : this.#options.losses;
    const { to, adaptOwn } = this.#options as ConvertOptions & { to: Format };
    const back = comeBack(returning.written, from, to, returning.opening(from), losses);
    // With the rest of the stream, so that what is changed there is changed in all of it.
    for (const rec of returning.restored(back))
      if (adaptOwn && !this.#carrier && to.recognise(rec.value as JsonObject)?.kind === 'message')
        this.#assembly.add({ message: to.readMessage(rec.value as JsonObject), from: from.name, recs: [rec] }, from);
      else this.#out.push(...(this.#carrier?.pass(rec) ?? [rec]));
    this.#assembly.hasHead ||= returning.hadHead;
    this.#assembly.begun = true;
  }

  /** The records of one unit in the target dialect. */
  bringBack(values: Values, from: Format, opening: Written['opening']): Json[] {
    this.#assembly.begun = opening === undefined;
    for (const [i, value] of values.entries()) {
      if (i === 0 && opening?.written) this.#takeHead({ value }, from);
      else if (from.recognise(value)?.kind === 'reply') this.#takeReply({ value }, from);
      else this.#takeMessage({ value }, { format: from, kind: 'message' });
    }
    return this.end().map((rec) => rec.value ?? null);
  }
}

/** A unit back to the dialect that it came from, by itself. */
export function comeBack(values: Values, from: Format, to: Format, opening: Written['opening'], losses = new Losses()) {
  return new Converter({ to, from: from.name, losses, adapt: homeward(values) }).bringBack(values, from, opening);
}
