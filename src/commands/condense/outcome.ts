// One conversation condensed: what becomes of its records.
import type { Conversation, Item } from '../../lib/formats/conversation.ts';
import type { Format } from '../../lib/formats/types.ts';
import type { JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import type { Message } from '../../lib/ir/types.ts';
import type { Fate, Plan } from './plan.ts';
import type { Entry, Transcript } from './transcript.ts';

export interface Outcome {
  readonly transcript: Transcript;
  /** One for each entry. */
  readonly fates: readonly Fate[];
  readonly digests: readonly Message[];
  /** The entry that the digests stand before. */
  readonly before: number;
}

/** The whole conversation after a plan for its beginning: what came later stays, mended where it must be. */
export function outcomeOf(transcript: Transcript, plan: Plan): Outcome {
  const fates = transcript.entries.map((entry, at) => mended(entry, plan.fates[at] ?? { do: 'keep' }));
  return { transcript, fates, digests: plan.digests, before: plan.before };
}

function mended(entry: Entry, fate: Fate): Fate {
  if (fate.do !== 'keep' || !entry.mended) return fate;
  return entry.message ? { do: 'change', message: entry.message, by: 'mend' } : { do: 'drop', by: 'mend' };
}

/** The items of the condensed conversation. An entry that stays is the item that it was. */
export function* itemsOf({ transcript, fates, digests, before }: Outcome, { format }: Conversation): Generator<Item> {
  for (const [at, { item }] of transcript.entries.entries()) {
    if (before === at) for (const digest of digests) yield* written(digest, format, undefined);
    const fate = fates[at] as Fate;
    if (fate.do === 'keep') yield item;
    if (fate.do === 'change') yield* written(marked(fate), item.identity?.format ?? format, item.rec);
  }
}

function marked({ message, by }: Extract<Fate, { do: 'change' }>): Message {
  return { ...message, meta: { ...message.meta, condensed: { by } } };
}

function written(message: Message, format: Format, from: Rec | undefined): Item[] {
  const identity = { format, kind: 'message', sure: false } as const;
  return format
    .writeMessages([message], () => {})
    .map((native: JsonObject) => ({ rec: record(native, from), identity }));
}
