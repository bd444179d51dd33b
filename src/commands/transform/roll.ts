// Streams of lines ⇄ one rolled-up line for each conversation.

import { isHidden } from '../../lib/conversation/hidden.ts';
import type { FormatName } from '../../lib/conversation/types.ts';
import { type Conversation, Gatherer, type Item } from '../../lib/conversion/gather.ts';
import { identify, identifyAs } from '../../lib/dialects/detect.ts';
import { headMark, withoutMark } from '../../lib/dialects/lone-heads.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';

/** One line for each conversation. Records that are no part of one go before it. */
export class Roller {
  readonly #gatherer = new Gatherer();

  push(rec: Rec): Rec[] {
    return this.#gatherer.push(rec).flatMap(rolledUp);
  }

  end(): Rec[] {
    return this.#gatherer.end().flatMap(rolledUp);
  }
}

function rolledUp({ rolled, head, items, format }: Conversation): Rec[] {
  if (rolled) return [items.some(isLeftOut) ? withoutHidden(rolled, items, format.messagesKey) : rolled];
  const others = items.filter((item) => item.identity === undefined && !isLeftOut(item)).map(({ rec }) => rec);
  const spoken = items.filter(({ identity }) => identity !== undefined);
  const [first] = spoken;
  if (head === undefined && first === undefined) return others;
  const messages = spoken.map(({ rec, identity }): Json => {
    if (identity?.kind !== 'reply') return rec.value ?? null;
    const [message] = format.writeMessages([identity.format.readReply(rec.value as JsonObject)], () => {});
    return message ?? null;
  });
  const body = isObject(head?.rec.value) ? withoutMark(head.rec.value) : {};
  return [...others, record({ ...body, [format.messagesKey]: messages }, head?.rec ?? first?.rec)];
}

/** A line is a request, and a hidden record is in none. */
const isLeftOut = ({ rec }: Item): boolean => isHidden(rec.value);

function withoutHidden(rolled: Rec, items: readonly Item[], key: string): Rec {
  const messages = items.filter((item) => !isLeftOut(item)).map(({ rec }) => rec.value ?? null);
  return record({ ...(rolled.value as JsonObject), [key]: messages }, rolled);
}

/** The head and the messages of each rolled-up line, a line each; any other record as it is. */
export class Unroller {
  readonly #from: FormatName | undefined;
  #begun = false;

  constructor(from?: FormatName) {
    this.#from = from;
  }

  push(rec: Rec): Rec[] {
    const begun = this.#begun;
    this.#begun = true;
    const identity = this.#from === undefined ? identify(rec.value) : identifyAs(rec.value, this.#from);
    if (identity?.kind !== 'conversation') return [rec];
    const { format } = identity;
    const native = rec.value as JsonObject;
    const { [format.messagesKey]: messages, ...body } = format.whole?.(native) ?? native;
    if (!Array.isArray(messages)) return [rec];
    // Without a head nothing would part one conversation from the one before it.
    const head = begun || Object.keys(body).length > 0 ? [record(headMark(body, format), rec)] : [];
    return [...head, ...messages.map((message) => record(message, rec))];
  }

  /** Nothing waits here. */
  end(): Rec[] {
    return [];
  }
}
