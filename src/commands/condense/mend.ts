// A conversation as the API would take it: the rules of `ai-transform --repair`, before anything goes.

import { repair } from '../../lib/constraints/rules/check.ts';
import type { Message, Part } from '../../lib/conversation/types.ts';
import { type Conversation, headOf, type Item, messageOf } from '../../lib/conversion/gather.ts';
import { record } from '../../lib/json/record.ts';
import { equal } from '../../lib/json/values.ts';
import { apartFromDigests } from './digest/text.ts';

export interface Entry {
  /** What it was read from; undefined for a message that was put in. */
  readonly item: Item | undefined;
  /** What is sent. undefined: the record is no part of the conversation, or is hidden from the model, or went. */
  readonly message: Message | undefined;
  /** Why the message is not what the item says; undefined: it is. */
  readonly by?: readonly string[];
  /** A message of the user's role that says only what results hold: nobody asks for anything in it. */
  readonly aside?: boolean;
}

/** The entries of a conversation as they came. Throws a Failure (65) for a message that cannot be read. */
export const entriesIn = ({ items }: Conversation): Entry[] =>
  items.map((item) => ({ item, message: messageOf(item) }));

interface Mended {
  readonly entries: readonly Entry[];
  /** The head, where its system prompt changed. */
  readonly head?: Item;
}

/** The same, mended where the API would refuse them. Calls at the end may still be answered. */
export function mend(conversation: Conversation, entries: readonly Entry[]): Mended {
  const { format, head: item } = conversation;
  const { head, messages: system } = headOf(conversation);
  const said = entries.flatMap(({ message }) => (message ? [message] : []));
  const bare = item === undefined || Object.keys(item.rec.value ?? {}).length === 0;
  const messages = [...system, ...said.flatMap(apartFromDigests)];
  const known = bare ? undefined : head;
  const { request } = repair({ format: format.name, head: known, messages, inHead: system.length, open: true });
  const { inHead } = request;
  const now = request.messages.slice(inHead);
  const same = now.length === said.length && now.every((message, i) => message === said[i]);
  const above = headWith(conversation, request.messages.slice(0, inHead));
  return { entries: same ? entries : aligned(entries, now), ...(above && { head: above }) };
}

/** The head with another system prompt; undefined where it is the same, or has no room for it. */
export function headWith(conversation: Conversation, system: readonly Message[]): Item | undefined {
  const { head: item, format } = conversation;
  const { head, messages } = headOf(conversation);
  if (
    item === undefined ||
    (system.length === messages.length && system.every((message, i) => equal(message, messages[i])))
  )
    return undefined;
  const { native, rest } = (item.identity?.format ?? format).writeHead(head, system, () => {});
  return rest.length > 0 ? undefined : { ...item, rec: record(native, item.rec) };
}

/** Messages that stayed keep their entries and their order; between them stand those that were put in. */
function aligned(entries: readonly Entry[], messages: readonly Message[]): Entry[] {
  const place = new Map(entries.flatMap(({ message }, at) => (message ? [[message, at] as const] : [])));
  const stays = new Set(messages.filter((message) => place.has(message)));
  const shown = new Set(
    entries.flatMap(({ message }) => (message && !stays.has(message) ? resultPartsOf(message) : [])),
  );
  const out: Entry[] = [];
  let next = 0;
  const passGone = (): void => {
    for (; next < entries.length; next++) {
      const { item, message } = entries[next] as Entry;
      if (message && stays.has(message)) return;
      out.push(message ? { item, message: undefined, by: ['repair'] } : (entries[next] as Entry));
    }
  };
  for (const message of messages) {
    passGone();
    if (place.get(message) === next) out.push(entries[next++] as Entry);
    else {
      stays.delete(message);
      const said = (part: Part): boolean => part.type !== 'tool_result' && !shown.has(part);
      const aside = message.role === 'user' && !message.parts.some(said);
      out.push({ item: undefined, message, by: ['repair'], ...(aside && { aside }) });
    }
  }
  passGone();
  return out;
}

const resultPartsOf = ({ parts }: Message): readonly Part[] =>
  parts.flatMap((part) => (part.type === 'tool_result' ? part.parts : []));
