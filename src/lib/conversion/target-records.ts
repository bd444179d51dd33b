// The records that are written together: the opening of a conversation, or messages that share records of the target.

import type { Head, Lose, Message } from '../conversation/types.ts';
import type { Format, Named } from '../dialects/types.ts';
import { type Rec, record } from '../json/record.ts';
import { equal, isObject, type JsonObject } from '../json/values.ts';
import type { Ahead, Read } from './adaptation.ts';
import { sayHeadResiduals, sayResiduals } from './losses.ts';

/** The head, and the system messages at the beginning, until the first other message: some formats keep them in the head. */
export interface Opening {
  readonly head?: Head;
  readonly rec?: Rec;
  readonly from: Named;
  readonly system: Read[];
  /** All messages, where the request is at hand as a whole. */
  readonly ahead?: Ahead;
}

const messageOf = (read: Read): Message => read.message;

/** The records that some messages come from, each once. */
export const sourcesOf = (reads: readonly Read[]): readonly Rec[] =>
  reads.length === 1 && reads[0] ? reads[0].recs : [...new Set(reads.flatMap((read) => read.recs))];

/** The head, if there is one to write, and the system messages that it does not keep. */
export function writeOpening(opening: Opening, to: Format, lose: Lose): { natives: Rec[]; head: boolean } {
  const { from, system, rec, head } = opening;
  if (head && from !== to) sayHeadResiduals(head, from.name, lose, to.takes?.[from.name]);
  const messages = system.map(messageOf);
  if (from !== to) sayResiduals(messages, from.name, lose);
  const { native, rest } = to.writeHead(head ?? {}, messages, lose);
  const written = head !== undefined || rest.length < system.length;
  const natives = written ? [theSame(native, rec) ?? record(native, rec ?? system[0]?.recs[0])] : [];
  const left = new Set(rest);
  const kept = system.filter(({ message }) => left.has(message));
  return {
    natives: [...natives, ...kept.flatMap((read) => writeGroup([read.message], read.recs[0], from, to, lose))],
    head: written,
  };
}

/** The records of messages that share them. */
export function writeGroup(
  messages: readonly Message[],
  first: Rec | undefined,
  from: Named,
  to: Format,
  lose: Lose,
): Rec[] {
  const natives = to.writeMessages(messages, lose);
  if (from !== to) sayResiduals(messages, from.name, lose);
  const [only] = natives;
  if (only === undefined || natives.length > 1) return natives.map((native) => record(native, first));
  return [(messages.length === 1 && theSame(only, first)) || record(only, first)];
}

/** The records of one conversation on one line. */
export function rolledUp(recs: readonly Rec[], hasHead: boolean, to: Format): JsonObject {
  const items = recs.map((item) => item.value ?? null);
  const [top, others] = hasHead ? [items[0], items.slice(1)] : [{}, items];
  return { ...(isObject(top) ? top : {}), [to.messagesKey]: others };
}

/** The record itself, where writing it gave the same again. */
export const theSame = (native: JsonObject | undefined, rec: Rec | undefined): Rec | undefined =>
  rec && equal(native, rec.value) ? rec : undefined;
