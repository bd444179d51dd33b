// A conversation's records, for the rules that look at these; and the conversation with the records mended.

import { checkRecords, mendRecords } from '../../lib/constraints/records/check.ts';
import type { Finding } from '../../lib/constraints/rules/types.ts';
import { isHidden } from '../../lib/conversation/hidden.ts';
import type { Conversation, Item } from '../../lib/conversion/gather.ts';
import { identifyAs } from '../../lib/dialects/detect.ts';
import { toCamel } from '../../lib/dialects/gemini/spelling.ts';
import type { Records } from '../../lib/dialects/record-rules.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { placedAmong } from './placed.ts';

/** Told of each repair: the record, the rule, and what was done. */
export type Did = (rec: Rec | undefined, rule: string, did: string) => void;

interface Wired {
  readonly records: Records;
  /** The items of the messages, in their order. */
  readonly items: readonly Item[];
  /** What each value was in its record's own spelling. */
  readonly from: ReadonlyMap<JsonObject, Item>;
}

/** Other records are none of the API's. A message of a rolled-up line is one, whatever it looks like. */
function wired({ head, items, format, rolled }: Conversation): Wired {
  const spoken = items.filter(
    ({ rec: { value }, identity }) =>
      isObject(value) && !isHidden(value) && (identity?.format === format || rolled !== undefined),
  );
  const from = new Map<JsonObject, Item>();
  const messages = spoken.map((item) => {
    const value = spelled(item.rec.value as JsonObject, format);
    from.set(value, item);
    return value;
  });
  const body = isObject(head?.rec.value) ? spelled(head.rec.value, format) : undefined;
  return { records: { ...(body && { head: body }), messages }, items: spoken, from };
}

/** Gemini takes two spellings. */
const spelled = (value: JsonObject, { name }: Format): JsonObject => (name === 'gemini' ? toCamel(value).value : value);

/** What the API would refuse of the records, each with its place. */
export function wireFindings(conversation: Conversation): { readonly rec?: Rec; readonly finding: Finding }[] {
  const { records, items } = wired(conversation);
  const top = conversation.head?.rec ?? conversation.rolled ?? items[0]?.rec;
  return checkRecords(conversation.format.name, records).map((finding) => ({
    rec: finding.message === undefined ? top : items[finding.message]?.rec,
    finding,
  }));
}

/** The conversation with its records mended, and what was done said. */
export function wireMended(conversation: Conversation, say: Did): Conversation {
  const { records, items, from } = wired(conversation);
  const mended = mendRecords(conversation.format.name, records);
  if (mended.did.length === 0) return conversation;
  const top = conversation.head?.rec ?? conversation.rolled ?? items[0]?.rec;
  for (const { rule, message, did } of mended.did)
    say((message === undefined ? undefined : items[message]?.rec) ?? top, rule, did);
  const { head, messages } = mended.records;
  const changed = head !== records.head && head !== undefined && conversation.head;
  return {
    ...conversation,
    ...(changed && { head: { ...changed, rec: record(head, changed.rec) } }),
    items: placed(conversation, messages, from),
  };
}

/** The messages among the other records, which keep their place among those that stayed. */
function placed({ items, format }: Conversation, messages: readonly JsonObject[], from: Wired['from']): Item[] {
  const spoken = new Set(from.values());
  const others = items.filter((item) => !spoken.has(item));
  const pieces = messages.map((value) => ({
    item: from.get(value),
    make: (near: Rec | undefined) => [made(value, near, format)],
  }));
  return placedAmong(items, others, pieces);
}

const made = (value: JsonObject, near: Rec | undefined, format: Format): Item => ({
  rec: record(value, near),
  identity: identifyAs(value, format.name),
});
