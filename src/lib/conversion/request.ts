// A conversation as the body of one request.

import type { FormatName, Message } from '../conversation/types.ts';
import type { Format } from '../dialects/types.ts';
import type { Rec } from '../json/record.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';
import type { Adapt, Read } from './adaptation.ts';
import { Converter } from './convert.ts';
import { type Conversation, messageOf } from './gather.ts';
import type { Losses } from './losses.ts';
import { homeward } from './undo-adaptations.ts';

export interface BuiltRequest {
  /** In the dialect of the target, without anything of ours: no `_meta`, no records that are not messages. */
  readonly body: JsonObject;
  /** The reply with the names and ids that the conversation has, where the target's had to be others. */
  readonly homeward: (reply: Message) => Message;
}

/** `adapt` is what the model and the API want changed. */
export function buildRequest(conversation: Conversation, to: Format, losses: Losses, adapt?: Adapt): BuiltRequest {
  const ahead = () => conversation.items.flatMap((item) => messageOf(item) ?? []);
  const converter = new Converter({ to, losses, sent: true, ...(adapt && { adapt, adaptOwn: true, ahead }) });
  const parts = conversation.items.filter((item) => item.identity !== undefined).map((item) => item.rec);
  const all = conversation.head ? [marked(conversation.head.rec, conversation.format), ...parts] : parts;
  const written = [...all.flatMap((rec) => converter.push(rec)), ...converter.end()].map((rec) => rec.value);
  const [first] = written;
  // A head of few fields is not known by itself, but a message is.
  const kind = isObject(first) ? to.recognise(first)?.kind : undefined;
  const hasHead = isObject(first) && (kind === 'head' || (conversation.head !== undefined && kind === undefined));
  const messages = (hasHead ? written.slice(1) : written).flatMap((value) => plainMessages(value, to));
  return {
    body: { ...withoutMeta(hasHead ? first : {}), [to.messagesKey]: messages },
    homeward: (reply) => asAtHome(reply, written.filter(isObject), to.name, conversation.format.name),
  };
}

/** A head of few fields may fit no dialect by itself. */
function marked(rec: Rec, { name: dialect }: Format): Rec {
  const value = isObject(rec.value) ? rec.value : {};
  const meta = isObject(value._meta) ? value._meta : {};
  return { ...rec, value: { ...value, _meta: { ...meta, dialect } }, source: undefined };
}

function asAtHome(message: Message, written: readonly JsonObject[], from: FormatName, home: FormatName): Message {
  const back = homeward(written)(home).read?.({ message, from, recs: [] }, () => {});
  const [only = back] = Array.isArray(back) ? back : [back];
  return (only as Read | undefined)?.message ?? message;
}

/** A whole reply in the stream goes back as the message that it is. */
function plainMessages(value: Json | undefined, to: Format): readonly Json[] {
  if (!isObject(value)) return [value ?? null];
  if (to.recognise(value)?.kind !== 'reply') return [withoutMeta(value)];
  const { role, parts, name } = to.readReply(value);
  return to.writeMessages([{ role, parts, name }], () => {});
}

function withoutMeta(value: JsonObject): JsonObject {
  if (!('_meta' in value)) return value;
  const { _meta, ...plain } = value;
  return plain;
}
