// One conversation condensed: what becomes of its records.

import type { Message } from '../../lib/conversation/types.ts';
import type { Conversation, Item } from '../../lib/conversion/gather.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { hide } from './hidden.ts';
import type { Loss } from './ledger.ts';
import type { Entry } from './mend.ts';
import type { Fate, Plan } from './plan.ts';
import type { Sizes } from './sizes.ts';
import type { Transcript } from './transcript.ts';

export interface Outcome {
  readonly transcript: Transcript;
  readonly sizes: Sizes;
  /** One for each entry. */
  readonly fates: readonly Fate[];
  readonly digests: readonly Message[];
  /** The entry that the digests stand before. */
  readonly before: number;
  /** The head, where it changed. */
  readonly head?: Item;
}

/** How what is made says where it comes from. */
export interface Stamp {
  /** What goes stays in the stream, hidden. */
  readonly mark: boolean;
  /** The hash of the backup. */
  readonly backup?: string;
}

/** An item of the result; `made` if it was not read as it is. */
interface Piece {
  readonly item: Item;
  readonly made: boolean;
}

/** The whole conversation after a plan for its beginning: what came later stays, mended where it must be. */
export function outcomeOf(transcript: Transcript, sizes: Sizes, plan: Plan): Outcome {
  const fates = transcript.entries.map((entry, at) => mended(entry, plan.fates[at] ?? { do: 'keep' }));
  return { transcript, sizes, fates, digests: plan.digests, before: plan.before };
}

function mended({ message, by }: Entry, fate: Fate): Fate {
  if (fate.do !== 'keep' || by === undefined) return fate;
  return message ? { do: 'change', message, by } : { do: 'drop', by };
}

/** The items of the condensed conversation. An entry that stays is the item that it was. */
export function* piecesOf(outcome: Outcome, { format }: Conversation, stamp: Stamp): Generator<Piece> {
  const { transcript, fates, digests, before } = outcome;
  for (const [at, { item }] of transcript.entries.entries()) {
    if (before === at) for (const digest of digests) yield* written(stamped(digest, {}, stamp), format, undefined);
    const fate = fates[at] as Fate;
    if (item && fate.do === 'keep') yield { item, made: false };
    else if (item && stamp.mark) yield { item: { ...item, rec: hide(item.rec, reasonOf(fate)) }, made: true };
    if (fate.do === 'change') {
      const made = stamped(fate.message, { by: [...fate.by] }, stamp);
      yield* written(made, item?.identity?.format ?? format, item?.rec);
    }
  }
}

const reasonOf = (fate: Fate): string => (fate.do === 'keep' ? '' : fate.by.join(','));

function stamped(message: Message, condensed: JsonObject, { mark, backup }: Stamp): Message {
  const before = isObject(message.meta?.condensed) ? message.meta.condensed : {};
  const { stands_in: _, ...said } = before;
  const now = { ...said, ...condensed, ...(mark && { stands_in: true }), ...(backup !== undefined && { backup }) };
  return { ...message, meta: { ...message.meta, condensed: now } };
}

function written(message: Message, format: Format, from: Rec | undefined): Piece[] {
  const identity = { format, kind: 'message', sure: false } as const;
  return format
    .writeMessages([message], () => {})
    .map((native: JsonObject) => ({ item: { rec: record(native, from), identity }, made: true }));
}

/** What was taken out or changed, for the ledger: places are counted from the conversation's first record. */
export function* lossesOf(
  { transcript, fates, sizes, head: changed }: Outcome,
  { rolled, head }: Conversation,
): Generator<Loss> {
  const first = head ? 1 : 0;
  if (head && changed && !rolled) yield { record: 0, role: 'system', tokens: 0, reason: 'system', rec: head.rec };
  let place = -1;
  for (const [at, fate] of fates.entries()) {
    const { item, message } = transcript.entries[at] as Entry;
    if (item === undefined) continue;
    place += 1;
    if (fate.do === 'keep') continue;
    const where = rolled ? { record: 0, message: place } : { record: first + place };
    const role = message?.role ?? roleOf(item.rec);
    yield { ...where, ...idOf(message), role, tokens: sizes.tokens(at), reason: reasonOf(fate), rec: item.rec };
  }
  if (rolled) yield { record: 0, role: 'conversation', tokens: 0, reason: 'condensed', rec: rolled };
}

const roleOf = ({ value }: Rec): string => (isObject(value) && typeof value.role === 'string' ? value.role : 'record');

function idOf(message: Message | undefined): { id?: string } {
  for (const part of message?.parts ?? []) {
    if (message?.id !== undefined) return { id: message.id };
    if (part.type === 'tool_call') return { id: part.id };
    if (part.type === 'tool_result') return { id: part.callId };
  }
  return message?.id === undefined ? {} : { id: message.id };
}
