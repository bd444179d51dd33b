// What stands between reading and writing a conversation: changes for the sake of a model or an API, made to the view.

import { HAS, traitsOf } from '../conversation/message-traits.ts';
import type { FormatName, Head, Lose, Message } from '../conversation/types.ts';
import type { Rec } from '../json/record.ts';

/** A message as it was read, and the records that it comes from: none if it was made here. */
export interface Read {
  readonly message: Message;
  readonly from: FormatName;
  readonly recs: readonly Rec[];
  /** Nothing of it is to be written; its records have had their turn. */
  readonly gone?: true;
}

/** What was read, and is not to be written. */
export const gone = (read: Read): Read => ({ ...read, message: { ...read.message, parts: [] }, gone: true });

export type Ahead = () => readonly Message[];

/** Sees one conversation, in order. Each call returns what can be written now; the same object means that nothing changed. */
export interface Adaptation {
  /** `from` is the dialect that the head was read in. `ahead` gives all messages of a request that is at hand as a whole. */
  head(head: Head, lose: Lose, from: FormatName, ahead?: Ahead): Head;
  /** One message, or several. Without it messages stay as they are. */
  read?(read: Read, lose: Lose): Read | readonly Read[];
  /** A mask of message traits (message-traits.ts): `read` sees the messages that have one of them. All without it. */
  readonly appliesTo?: number;
  /** It may put a system message before the first message: the opening of the conversation waits for that. */
  readonly leads?: boolean;
  /** What was held back. */
  end?(lose: Lose): readonly Read[];
}

/** Makes the adaptation for the next conversation. `to` is the dialect that it is written in. */
export type Adapt = (to: FormatName) => Adaptation;

export type InTurn = Required<Adaptation>;

/** Several, one after the other. */
export function inTurn(adaptations: readonly Adaptation[]): InTurn {
  const readers = adaptations.filter(({ read, end }) => read !== undefined || end !== undefined);
  const appliesTo = readers.map((adaptation) => adaptation.appliesTo ?? HAS.any);
  const all = (reads: readonly Read[], from: number, lose: Lose): Read[] =>
    reads.flatMap((read) => through(read, from, lose));
  /** Most messages pass unchanged: one object all the way, and no lists. */
  const through = (read: Read, from: number, lose: Lose): Read | Read[] => {
    let now = read;
    let traits = traitsOf(read.message);
    for (let i = from; i < readers.length; i += 1) {
      if (((appliesTo[i] as number) & traits) === 0) continue;
      const next = readers[i]?.read?.(now, lose) ?? now;
      if (isList(next)) return all(next, i + 1, lose);
      if (next !== now) traits = traitsOf(next.message);
      now = next;
    }
    return now;
  };
  return {
    appliesTo: HAS.any,
    leads: adaptations.some(({ leads }) => leads),
    head: (head, lose, from, ahead) => adaptations.reduce((now, next) => next.head(now, lose, from, ahead), head),
    read: (read, lose) => through(read, 0, lose),
    end: (lose) => readers.flatMap((adaptation, i) => all(adaptation.end?.(lose) ?? [], i + 1, lose)),
  };
}

export const isList = (value: Read | readonly Read[]): value is readonly Read[] => Array.isArray(value);

/** An adaptation that changes each message by itself; `appliesTo` is the mask of those it may change. */
export function eachMessage(
  head: (head: Head, lose: Lose) => Head,
  message?: (message: Message, lose: Lose) => Message,
  appliesTo?: number,
): Adaptation {
  if (message === undefined) return { head };
  return {
    head,
    appliesTo,
    read: (read, lose) => {
      const changed = message(read.message, lose);
      return changed === read.message ? read : { ...read, message: changed };
    },
  };
}
