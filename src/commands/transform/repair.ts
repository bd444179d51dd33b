// --repair: what can be mended without inventing content.

import { repair } from '../../lib/constraints/rules/check.ts';
import type { Checked } from '../../lib/constraints/rules/types.ts';
import type { FormatName, Head, Message } from '../../lib/conversation/types.ts';
import { type Conversation, conversations, emit, firstRecord, type Item } from '../../lib/conversion/gather.ts';
import { isAboutData, misshapen } from '../../lib/dialects/read-record.ts';
import type { Format } from '../../lib/dialects/types.ts';
import type { Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { equal, type JsonObject } from '../../lib/json/values.ts';
import { placedAmong } from './placed.ts';
import { type Sourced, sourced } from './request.ts';
import type { Did } from './wire.ts';
import { wireMended } from './wire.ts';

/** Every conversation mended. Records that need no repair leave as they came. */
export function* repairAll(
  records: Iterable<Rec>,
  from: FormatName | undefined,
  did: Did,
  bad: (failure: Failure) => void,
): Generator<Rec> {
  for (const conversation of conversations(records, from)) yield* emit(mended(conversation, did, bad), conversation);
}

/** As it came where a value in it is of a wrong type, which is told. */
function mended(conversation: Conversation, did: Did, bad: (failure: Failure) => void): Conversation {
  try {
    return wireMended(repaired(wireMended(conversation, did), did), did);
  } catch (raised) {
    const error = misshapen(raised, firstRecord(conversation) ?? { value: undefined });
    if (!isAboutData(error)) throw error;
    bad(error);
    return conversation;
  }
}

function repaired(conversation: Conversation, say: Did): Conversation {
  const source = sourced(conversation);
  const { request, did } = repair(source.request);
  if (did.length === 0) return conversation;
  const recs = [...source.items.values()].map((item) => item.rec);
  const top = conversation.head?.rec ?? conversation.rolled;
  for (const { rule, message, did: what } of did)
    say((message === undefined ? undefined : recs[message - source.inHead]) ?? top ?? recs[0], rule, what);
  return rewritten(conversation, source, request);
}

function rewritten(conversation: Conversation, source: Sourced, request: Checked): Conversation {
  const { format } = conversation;
  const { head, messages, inHead = 0 } = request;
  const kept = messages.slice(0, inHead);
  const same = head === source.request.head && equal(kept, source.request.messages.slice(0, source.inHead));
  const item = same ? conversation.head : headItem(conversation, head, kept);
  return { ...conversation, head: item, items: itemsOf(conversation, source, messages.slice(inHead), format) };
}

function headItem(
  { head: item, format }: Conversation,
  head: Head | undefined,
  messages: readonly Message[],
): Item | undefined {
  if (item === undefined) return undefined;
  const { native } = format.writeHead(head ?? {}, messages, () => {});
  return { ...item, rec: record(native, item.rec) };
}

/** Messages that stayed keep their records, and other records their place among them. */
function itemsOf(conversation: Conversation, { items }: Sourced, messages: readonly Message[], format: Format): Item[] {
  const stays = new Set(messages.filter((message) => items.has(message)).map((message) => items.get(message)));
  const others = conversation.items.filter((item) => !stays.has(item) && item.identity === undefined);
  const pieces = grouped(messages, items, format).map((group) => ({
    item: items.get(group[0] as Message),
    make: (near: Rec | undefined) => format.writeMessages(group, () => {}).map((native) => made(native, near)),
  }));
  return placedAmong(conversation.items, others, pieces);
}

/** New messages that share a record are written together. */
function grouped(messages: readonly Message[], items: ReadonlyMap<Message, Item>, format: Format): Message[][] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    const fresh = group && !items.has(message) && !items.has(group[0] as Message);
    if (group && fresh && format.joins(group, message)) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

const made = (native: JsonObject, near: Rec | undefined): Item => ({ rec: record(native, near) });
