// From one dialect to another: record by record, with one message of look-ahead where messages share a record.

import { equal, isObject, type JsonObject } from '../ir/json.ts';
import { type Rec, record } from '../ir/record.ts';
import type { FormatName, Head, Lose, Message } from '../ir/types.ts';
import { type Envelope, fits, openEnvelope, seal, sealError } from './batch.ts';
import { type Identity, identify, identifyAs } from './detect.ts';
import { type Losses, sayHeadResiduals, sayResiduals } from './losses.ts';
import { Pairing } from './pairing.ts';
import { misshapen } from './read.ts';
import { FORMATS } from './table.ts';
import { type Format, messagesIn } from './types.ts';

interface Read {
  readonly message: Message;
  readonly rec: Rec;
}

/** Messages that may share a record of the target. */
class Group {
  readonly from: Format;
  readonly messages: Message[] = [];
  readonly first: Rec;

  constructor(from: Format, read: Read) {
    this.from = from;
    this.first = read.rec;
    this.messages.push(read.message);
  }
}

export interface ConvertOptions {
  readonly to: Format;
  /** The dialect to read; found out record by record if it is not given. */
  readonly from?: FormatName;
  readonly losses: Losses;
  /** The time for dialects whose replies say when they were made, where the reply does not say so itself. */
  readonly now?: () => number;
}

/** Turns a stream into another dialect. What is in that dialect already leaves as it came. */
export class Converter {
  readonly #to: Format;
  readonly #from: FormatName | undefined;
  readonly #losses: Losses;
  readonly #now: (() => number) | undefined;
  #current: FormatName | undefined;
  /** The head, and the system messages at the beginning, until the first other message: some formats keep them in the head. */
  #opening: { head?: Head; rec?: Rec; from: Format; system: Read[] } | undefined;
  /** Whether this converts the messages of one line. */
  #inside = false;
  #begun = false;
  #group: Group | undefined;
  #pairing = new Pairing();
  #loseFrom: Format | undefined;
  #loser: Lose = () => {};

  constructor(options: ConvertOptions) {
    this.#to = options.to;
    this.#from = options.from;
    this.#losses = options.losses;
    this.#now = options.now;
    this.#current = options.from;
  }

  /** Takes one record and returns those that can be written now. */
  push(rec: Rec): Rec[] {
    const identity = this.#identify(rec);
    try {
      return identity ? this.#take(rec, identity) : this.#takeOther(rec);
    } catch (error) {
      throw misshapen(error, rec);
    }
  }

  /** A line of a batch, or a record that is no part of a conversation: inside of one there can be none. */
  #takeOther(rec: Rec): Rec[] {
    const { value } = rec;
    const envelope = isObject(value) && !this.#inside ? openEnvelope(value) : undefined;
    if (envelope) return [...this.end(), this.#convertEnvelope(rec, envelope)];
    if (!this.#inside) return this.#after(this.#flush(), rec);
    this.#losses.between(this.#from ?? '', this.#to.name)(
      String(isObject(value) ? value.type : value),
      'it is no message',
    );
    return [];
  }

  /** The body of a request, or a reply, in the envelope of the target's vendor. What is in that dialect already stays. */
  #convertEnvelope(rec: Rec, envelope: Envelope): Rec {
    const { body } = envelope;
    if (body === undefined) {
      const sealed = sealError(envelope, this.#to.name);
      return sealed === undefined ? rec : record(sealed, rec);
    }
    const identity = this.#identifyBody(body, envelope);
    if (identity === undefined || identity.kind === 'message') return rec;
    if (identity.format === this.#to)
      return fits(envelope, this.#to.name) ? rec : record(seal(envelope, body, this.#to.name), rec);
    const inner = { value: body, file: rec.file, line: rec.line };
    const native =
      identity.kind === 'reply'
        ? this.#convertReply(inner, body, identity.format)
        : this.#convertRolled(inner, body, identity.format);
    return record(seal(envelope, native.value as JsonObject, this.#to.name), rec);
  }

  end(): Rec[] {
    const last = this.#flush();
    this.#begun = false;
    this.#pairing = new Pairing();
    return last;
  }

  #identifyBody(body: JsonObject, { dialects }: Envelope): Identity | undefined {
    const [said] = dialects ?? (this.#from === undefined ? [] : [this.#from]);
    if (said !== undefined) return identifyAs(body, said);
    return dialects === undefined ? identify(body, this.#current) : undefined;
  }

  #identify({ value }: Rec): Identity | undefined {
    const forced = this.#from === undefined ? undefined : identifyAs(value, this.#from);
    const identity = forced ?? identify(value, this.#current);
    if (identity?.sure) this.#current = identity.format.name;
    return identity;
  }

  #take(rec: Rec, { format, kind }: Identity): Rec[] {
    if (kind === 'head') return this.#takeHead(rec, format);
    if (format === this.#to) return this.#takeOwn(rec);
    const native = rec.value as JsonObject;
    if (kind === 'conversation') return [...this.end(), this.#convertRolled(rec, native, format)];
    if (kind === 'reply') return this.#after(this.#flush(), this.#convertReply(rec, native, format));
    return this.#takeMessage({ message: this.#pairing.read(format.readMessage(native), format), rec }, format);
  }

  #takeOwn(rec: Rec): Rec[] {
    this.#begun = true;
    return this.#after(this.#flush(), rec);
  }

  #takeHead(rec: Rec, from: Format): Rec[] {
    const out = this.end();
    if (from === this.#to) return [...out, rec];
    const { head, messages } = from.readHead(rec.value as JsonObject);
    this.#opening = { head, rec, from, system: messages.map((message) => ({ message, rec })) };
    return out;
  }

  #takeMessage(read: Read, from: Format): Rec[] {
    const { role } = read.message;
    if (!this.#begun && (role === 'system' || role === 'developer')) {
      this.#opening ??= { from, system: [] };
      this.#opening.system.push(read);
      return [];
    }
    this.#begun = true;
    const group = this.#group;
    if (group?.from === from && this.#to.joins(group.messages, read.message)) {
      group.messages.push(read.message);
      return [];
    }
    const out = this.#flush();
    this.#group = new Group(from, read);
    return out;
  }

  #flush(): Rec[] {
    return this.#opening ? [...this.#open(), ...this.#closeGroup()] : this.#closeGroup();
  }

  #after(out: Rec[], rec: Rec): Rec[] {
    out.push(rec);
    return out;
  }

  /** Writes the head, if there is one to write, and the system messages that it does not keep. */
  #open(): Rec[] {
    const opening = this.#opening;
    if (opening === undefined) return [];
    this.#opening = undefined;
    const { from, system, rec } = opening;
    const lose = this.#lose(from);
    if (opening.head) sayHeadResiduals(opening.head, from.name, lose, this.#to.takes?.[from.name]);
    const messages = system.map((read) => read.message);
    sayResiduals(messages, from.name, lose);
    const { native, rest } = this.#to.writeHead(opening.head ?? {}, messages, lose);
    const head = opening.head || rest.length < system.length ? [asBefore(native, rec)] : [];
    const left = new Set(rest);
    const kept = system.filter((read) => left.has(read.message));
    return [...head, ...kept.flatMap((read) => this.#write(new Group(from, read)))];
  }

  #closeGroup(): Rec[] {
    const group = this.#group;
    this.#group = undefined;
    return group ? this.#write(group) : [];
  }

  #write(group: Group): Rec[] {
    try {
      return this.#writeGroup(group);
    } catch (error) {
      throw misshapen(error, group.first);
    }
  }

  #writeGroup({ messages, first, from }: Group): Rec[] {
    const lose = this.#lose(from);
    const natives = this.#to.writeMessages(messages, lose);
    sayResiduals(messages, from.name, lose);
    const [native] = natives;
    if (messages.length === 1 && natives.length === 1 && native) return [asBefore(native, first)];
    return natives.map((each) => record(each, first));
  }

  #lose(from: Format): Lose {
    if (this.#loseFrom !== from) {
      this.#loseFrom = from;
      this.#loser = this.#losses.between(from.name, this.#to.name);
    }
    return this.#loser;
  }

  #convertReply(rec: Rec, native: JsonObject, from: Format): Rec {
    const lose = this.#lose(from);
    const message = this.#pairing.readReply(from.readReply(native), from);
    sayResiduals([message], from.name, lose, from.echoes);
    const made = this.#now && message.at === undefined ? { ...message, at: this.#now() } : message;
    return record(this.#to.writeReply(made, lose), rec);
  }

  /** A whole conversation on one line. */
  #convertRolled(rec: Rec, native: JsonObject, from: Format): Rec {
    const { [from.messagesKey]: _, ...body } = native;
    const { head, messages: inHead } = from.readHead(body);
    const inner = new Converter({ to: this.#to, from: from.name, losses: this.#losses });
    inner.#opening = { head, rec, from, system: inHead.map((message) => ({ message, rec })) };
    inner.#inside = true;
    const items = messagesIn(native, from).flatMap((value) => inner.push({ value, file: rec.file, line: rec.line }));
    const [top, ...others] = [...items, ...inner.end()].map((item) => item.value);
    return record({ ...(isObject(top) ? top : {}), [this.#to.messagesKey]: others.map((item) => item ?? null) }, rec);
  }
}

/** The record that was read, if it says the same already: then it leaves as it came. */
const asBefore = (native: JsonObject, rec: Rec | undefined): Rec =>
  rec !== undefined && equal(native, rec.value) ? rec : record(native, rec);

/** The names of the dialects, for options and errors. */
export const formatNames = (): string[] => FORMATS.map((format) => format.name);
