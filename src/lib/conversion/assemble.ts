// The messages of a conversation, gathered into records of the target dialect: with one message of look-ahead where messages share a record.

import type { Lose, Message } from '../conversation/types.ts';
import { misshapen } from '../dialects/read-record.ts';
import { formatNamed } from '../dialects/table.ts';
import type { Format, Named } from '../dialects/types.ts';
import { type Rec, record } from '../json/record.ts';
import { type Adaptation, isList, type Read } from './adaptation.ts';
import type { Written } from './carrier.ts';
import { whyNotCarried, withoutCarry } from './carry.ts';
import type { ConvertOptions } from './convert-options.ts';
import { sayResiduals, sayStop } from './losses.ts';
import { type Opening, sourcesOf, theSame, writeGroup, writeOpening } from './target-records.ts';

/** A unit with what it was read from: a dialect, or a log or text that nothing is written back to. */
export interface Assembled extends Omit<Written, 'of'> {
  readonly of: Named;
}

/** Takes what was read, in order; hands out the units of the target that are whole. */
export class Assembly {
  readonly #options: ConvertOptions;
  readonly #emit: (unit: Assembled) => void;
  #adaptation: Adaptation | undefined;
  #opening: Opening | undefined;
  /** Messages that may share a record of the target. */
  #group: Read[] = [];
  #messages: Message[] = [];
  #groupFrom: Named | undefined;
  /** The dialect of what was read last: the adaptation may hold it back. */
  #last: Named | undefined;
  #loseFrom: Named | undefined;
  #loser: Lose = () => {};
  /** Hidden records: they go behind what is written next, and share records with nothing. */
  #behind: Rec[] = [];
  /** Whether a message that is no system message has come. */
  begun = false;
  hasHead = false;

  constructor(options: ConvertOptions, emit: (unit: Assembled) => void) {
    this.#options = options;
    this.#emit = emit;
  }

  target(from: Named): Format {
    return this.#options.to ?? (formatNamed(from.name) as Format);
  }

  /** The head of a conversation, and the system messages that it holds. */
  open({ head: read, rec, from, system, ahead }: Opening): void {
    this.#last = from;
    const bare = read?.meta && this.#leaving(read, from);
    const head = read && (this.#adapting(from)?.head(bare ?? read, this.lose(from), from.name, ahead) ?? bare ?? read);
    this.#opening = { head, rec, from, system: system.flatMap((one) => this.#adapted(one, from)) };
    // Its own dialect keeps its own system messages where they are.
    if (this.target(from) === from && !this.#adaptation?.leads) this.#writeOpening();
  }

  add(read: Read, from: Named): void {
    this.#last = from;
    const left = this.#left(read, from);
    const adapted = this.#options.adapt ? this.#adapted(left, from) : left;
    if (isList(adapted)) for (const one of adapted) this.#place(one, from);
    else this.#place(adapted, from);
  }

  /** A whole reply: no part of the conversation around it. */
  reply(read: Read, from: Named): void {
    const to = this.target(from);
    const adapted = this.#adapted(this.#left(read, from), from);
    const message = isList(adapted) ? read.message : adapted.message;
    if (from !== to) sayResiduals([message], from.name, this.lose(from), formatNamed(from.name)?.echoes);
    const [rec] = read.recs;
    const native = to.writeReply(message, this.lose(from));
    if (from !== to) sayStop(message, native, to, this.lose(from));
    this.#emit({ of: from, in: to, recs: read.recs, natives: [theSame(native, rec) ?? record(native, rec)] });
  }

  /** Writes what waits, and what the adaptation holds back. */
  flush(): void {
    const from = this.#last;
    if (from) for (const read of this.#adaptation?.end?.(this.lose(from)) ?? []) this.#place(read, from);
    this.#write();
  }

  /** Takes hidden records, which stand behind what was read so far. */
  hide(recs: readonly Rec[], from: Named): void {
    this.#behind.push(...recs);
    if (this.#groupFrom === undefined && this.#opening === undefined) this.#emitHidden(from);
  }

  #emitHidden(from: Named): void {
    const natives = this.#behind.splice(0);
    if (natives.length > 0) this.#emit({ of: this.target(from), in: this.target(from), recs: [], natives });
  }

  /** The conversation is over. */
  finish(): void {
    this.flush();
    this.#adaptation = undefined;
    this.begun = false;
  }

  lose(from: Named): Lose {
    if (this.#loseFrom !== from) {
      this.#loseFrom = from;
      this.#loser = this.#options.losses.between(from.name, this.target(from).name);
    }
    return this.#loser;
  }

  #left(read: Read, from: Named): Read {
    const message = read.message.meta === undefined ? read.message : this.#leaving(read.message, from);
    return message === read.message ? read : { ...read, message };
  }

  /** What a record carries counts for that record alone: what is written for it in another dialect is a new one. */
  #leaving<T extends Pick<Message, 'meta'>>(one: T, from: Named): T {
    const to = this.target(from);
    const meta = from === to ? one.meta : withoutCarry(one.meta);
    if (meta === one.meta) return one;
    if (!this.#options.sent) this.lose(from)('_meta.carry', whyNotCarried(from.name));
    return { ...one, meta };
  }

  #adapting(from: Named): Adaptation | undefined {
    this.#adaptation ??= this.#options.adapt?.(this.target(from).name);
    return this.#adaptation;
  }

  #adapted(read: Read, from: Named): Read | readonly Read[] {
    return this.#adapting(from)?.read?.(read, this.lose(from)) ?? read;
  }

  #place(read: Read, from: Named): void {
    const { role } = read.message;
    const to = this.target(from);
    if (read.gone) {
      this.#skip(read, from);
      return;
    }
    const leading = from !== to || (read.recs.length === 0 && this.#opening !== undefined);
    if (!this.begun && leading && (role === 'system' || role === 'developer')) {
      this.#opening ??= { from, system: [] };
      this.#opening.system.push(read);
      return;
    }
    this.begun = true;
    if (this.#groupFrom === from && from !== to && to.joins(this.#messages, read.message)) {
      this.#group.push(read);
      this.#messages.push(read.message);
      return;
    }
    this.#write();
    this.#groupFrom = from;
    this.#group = [read];
    this.#messages = [read.message];
  }

  /** Nothing is written of it, and so nothing stands between what is before and behind it. */
  #skip(read: Read, from: Named): void {
    if (this.#groupFrom === from) {
      this.#group.push(read);
      return;
    }
    if (this.begun) this.#write();
    this.#emit({ of: from, in: this.target(from), recs: read.recs, natives: [] });
  }

  #write(): void {
    this.#writeOpening();
    this.#writeGroup();
    if (this.#behind.length > 0 && this.#last) this.#emitHidden(this.#last);
  }

  #writeGroup(): void {
    const from = this.#groupFrom;
    if (from === undefined) return;
    this.#groupFrom = undefined;
    const group = this.#group;
    const first = group[0]?.recs[0];
    this.#options.losses.at(first);
    try {
      const to = this.target(from);
      const natives = writeGroup(this.#messages, first, from, to, this.lose(from));
      this.#emit({ of: from, in: to, recs: this.#options.carry ? sourcesOf(group) : [], natives });
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
    const to = this.target(from);
    const { natives, head: written } = writeOpening(opening, to, this.lose(from));
    this.hasHead = written;
    this.#emit({ of: from, in: to, recs, natives, opening: { head: head !== undefined, written } });
  }
}
