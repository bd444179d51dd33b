// Records gathered into conversations, for programs that look at a whole one, and put back as they came.
import { isHidden } from '../conversation/hidden.ts';
import type { FormatName, Message } from '../conversation/types.ts';
import { type Identity, identify, identifyAs, identifyBroken } from '../dialects/detect.ts';
import { readHeadAt, readMessageAt } from '../dialects/read-record.ts';
import { FORMATS } from '../dialects/table.ts';
import { apart, type Format, type Request } from '../dialects/types.ts';
import { type Rec, record } from '../json/record.ts';
import { asObject, isObject, type JsonObject } from '../json/values.ts';

/** A record in its place. Without an identity it is no part of the conversation and stays where it is. */
export interface Item {
  readonly rec: Rec;
  readonly identity?: Identity;
  /** What a record is that is hidden, and so no part of the conversation. */
  readonly hidden?: Identity;
}

export interface Conversation {
  /** The stream's dialect; the first of the table while nothing has decided. */
  readonly format: Format;
  readonly decided: boolean;
  readonly head?: Item;
  /** Messages, replies, and other records between them. */
  readonly items: readonly Item[];
  /** The record that holds the whole, if it is one line. */
  readonly rolled?: Rec;
}

/** Where a conversation begins. */
export const firstRecord = ({ rolled, head, items }: Conversation): Rec | undefined =>
  rolled ?? head?.rec ?? items[0]?.rec;

/** Collects the records of a stream. A head that follows messages begins the next conversation, and so does a rolled-up line. */
export class Gatherer {
  #head: Item | undefined;
  #items: Item[] = [];
  #current: FormatName | undefined;
  readonly #from: FormatName | undefined;

  /** `from` is the dialect of every record that can be one of it; found out without it. */
  constructor(from?: FormatName) {
    this.#from = from;
    this.#current = from;
  }

  /** The conversations that this record completes. */
  push(rec: Rec): Conversation[] {
    const identity = this.#identify(rec);
    if (identity?.kind === 'conversation' && !isHidden(rec.value)) return [...this.end(), unroll(rec, identity)];
    const done = identity?.kind === 'head' && (this.#head || this.#items.length > 0) ? this.end() : [];
    if (identity?.sure) this.#current ??= identity.format.name;
    const item = itemOf(rec, identity);
    if (item.identity?.kind === 'head') this.#head = item;
    else this.#items.push(item);
    return done;
  }

  #identify({ value }: Rec): Identity | undefined {
    const forced =
      this.#from === undefined ? undefined : (identifyAs(value, this.#from) ?? identifyBroken(value, this.#from));
    return forced ?? identify(value, this.#current);
  }

  /** The last conversation, if there is one. */
  end(): Conversation[] {
    if (!this.#head && this.#items.length === 0) return [];
    const format = FORMATS.find(({ name }) => name === this.#current);
    const items = this.#items.map((item) => settle(item, this.#current));
    const head = this.#head && settle(this.#head, this.#current);
    const done = { format: format ?? (FORMATS[0] as Format), decided: format !== undefined, head, items };
    this.#head = undefined;
    this.#items = [];
    this.#current = this.#from;
    return [done];
  }
}

/** A hidden record is no part of the conversation, whatever it is. */
const itemOf = (rec: Rec, identity: Identity | undefined): Item =>
  isHidden(rec.value) ? { rec, hidden: identity } : { rec, identity };

/** A record that fitted several dialects is now taken for the stream's. */
function settle(item: Item, current: FormatName | undefined): Item {
  return item.identity && !item.identity.sure ? { ...item, identity: identify(item.rec.value, current) } : item;
}

function unroll(rec: Rec, identity: Identity): Conversation {
  const { body: head, messages } = apart(rec.value as JsonObject, identity.format);
  const items = messages.map((value) => {
    const inner = { value, file: rec.file, line: rec.line };
    return itemOf(inner, identify(value, identity.format.name));
  });
  const headRec = { value: head, file: rec.file, line: rec.line };
  const top: Item = { rec: headRec, identity: { format: identity.format, kind: 'head', sure: identity.sure } };
  return { format: identity.format, decided: identity.sure, head: top, items, rolled: rec };
}

/** Every conversation of a blocking stream. */
export function* conversations(records: Iterable<Rec>, from?: FormatName): Generator<Conversation> {
  const gatherer = new Gatherer(from);
  for (const rec of records) yield* gatherer.push(rec);
  yield* gatherer.end();
}

/** The records of a conversation. `before` is what was read: what has not changed since leaves as it came. */
export function* emit(conversation: Conversation, before: Conversation = conversation): Generator<Rec> {
  const { rolled, head, items, format } = conversation;
  if (rolled === undefined) {
    if (head) yield head.rec;
    for (const item of items) yield item.rec;
    return;
  }
  const same =
    head === before.head && items.length === before.items.length && items.every((item, i) => item === before.items[i]);
  yield same ? rolled : record(rollUp(conversation, before, format), rolled);
}

/** One line of a head and its messages; the fields keep their order, and messages that nobody changed their spelling. */
function rollUp({ rolled, head, items }: Conversation, before: Conversation, format: Format): JsonObject {
  const body = isObject(rolled?.value) ? rolled.value : {};
  const same = items.length === before.items.length && items.every((item, i) => item === before.items[i]);
  const spelled = same ? body[format.messagesKey] : undefined;
  const messages = spelled ?? items.map((item) => item.rec.value ?? null);
  const fields = asObject<JsonObject>(head?.rec.value ?? {}, 'head');
  const kept = Object.keys(body).filter((key) => key === format.messagesKey || Object.hasOwn(fields, key));
  const arranged = Object.fromEntries(kept.map((key) => [key, key === format.messagesKey ? messages : fields[key]]));
  return { ...arranged, ...fields, [format.messagesKey]: messages };
}

/** The message of an item; undefined for a record that is none, or is hidden. Throws a Failure (65) with its place if it cannot be read. */
export function messageOf({ identity, rec }: Item): Message | undefined {
  return identity && readMessageAt(rec, identity);
}

/** The head and the messages that it holds; an empty head where there is none. */
export function headOf({ head, format }: Conversation): Request {
  if (head === undefined) return { head: {}, messages: [] };
  return readHeadAt(head.rec, head.identity ?? { format, kind: 'head', sure: false });
}
