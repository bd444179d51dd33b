// From one dialect to another: record by record, with one message of look-ahead where messages share a record.

import { equal, isObject, type JsonObject } from '../ir/json.ts';
import { type Rec, record } from '../ir/record.ts';
import type { FormatName, Head, Lose, Message } from '../ir/types.ts';
import { Calls } from './calls.ts';
import { type Identity, identify, identifyAs } from './detect.ts';
import { type Losses, sayHeadResiduals, sayResiduals } from './losses.ts';
import { misshapen } from './read.ts';
import { FORMATS } from './table.ts';
import type { Format } from './types.ts';

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
}

/** Turns a stream into another dialect. What is in that dialect already leaves as it came. */
export class Converter {
  readonly #to: Format;
  readonly #from: FormatName | undefined;
  readonly #losses: Losses;
  #current: FormatName | undefined;
  /** The head, and the system messages at the beginning, until the first other message: some formats keep them in the head. */
  #opening: { head?: Head; rec?: Rec; from: Format; system: Read[] } | undefined;
  #begun = false;
  #group: Group | undefined;
  #loseFrom: Format | undefined;
  #loser: Lose = () => {};
  #calls = new Calls();

  constructor(options: ConvertOptions) {
    this.#to = options.to;
    this.#from = options.from;
    this.#losses = options.losses;
    this.#current = options.from;
  }

  /** Takes one record and returns those that can be written now. */
  push(rec: Rec): Rec[] {
    const identity = this.#identify(rec);
    try {
      return identity ? this.#take(rec, identity) : this.#after(this.#flush(), rec);
    } catch (error) {
      throw misshapen(error, rec);
    }
  }

  end(): Rec[] {
    const last = this.#flush();
    this.#begun = false;
    this.#calls = new Calls();
    return last;
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
    return this.#takeMessage({ message: this.#calls.follow(format.readMessage(native), format.name), rec }, format);
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
    if (opening.head) sayHeadResiduals(opening.head, from.name, lose);
    const messages = system.map((read) => read.message);
    sayResiduals(messages, from.name, lose);
    const { native, rest } = this.#to.writeHead(opening.head ?? {}, messages, lose);
    const head = opening.head || rest.length < system.length ? [record(native, rec)] : [];
    const kept = system.filter((read) => rest.includes(read.message));
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
    if (messages.length === 1 && natives.length === 1 && equal(natives[0], first.value)) return [first];
    return natives.map((native) => record(native, first));
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
    const message = this.#calls.follow(from.readReply(native), from.name);
    sayResiduals([message], from.name, lose);
    return record(this.#to.writeReply(message, lose), rec);
  }

  /** A whole conversation on one line. */
  #convertRolled(rec: Rec, native: JsonObject, from: Format): Rec {
    const { [from.messagesKey]: messages, ...body } = native;
    const { head, messages: inHead } = from.readHead(body);
    const inner = new Converter({ to: this.#to, from: from.name, losses: this.#losses });
    inner.#opening = { head, rec, from, system: inHead.map((message) => ({ message, rec })) };
    const items = (Array.isArray(messages) ? messages : []).flatMap((value) =>
      inner.push({ value, file: rec.file, line: rec.line }),
    );
    const [top, ...others] = [...items, ...inner.end()].map((item) => item.value);
    return record({ ...(isObject(top) ? top : {}), [this.#to.messagesKey]: others.map((item) => item ?? null) }, rec);
  }
}

/** The names of the dialects, for options and errors. */
export const formatNames = (): string[] => FORMATS.map((format) => format.name);
