// A conversation as the body of one request.
import { isObject, type Json, type JsonObject } from '../ir/json.ts';
import type { Conversation } from './conversation.ts';
import { Converter } from './convert.ts';
import type { Losses } from './losses.ts';
import type { Format } from './types.ts';

/** The body in the dialect of `to`, without anything of ours: no `_meta`, no records that are not messages. */
export function buildRequest(conversation: Conversation, to: Format, losses: Losses): JsonObject {
  const converter = new Converter({ to, losses });
  const parts = conversation.items.filter((item) => item.identity !== undefined).map((item) => item.rec);
  const all = conversation.head ? [conversation.head.rec, ...parts] : parts;
  const written = [...all.flatMap((rec) => converter.push(rec)), ...converter.end()].map((rec) => rec.value);
  const [first] = written;
  const hasHead = isObject(first) && to.recognise(first)?.kind === 'head';
  const messages = (hasHead ? written.slice(1) : written).map((value) => plainMessage(value, to));
  return { ...withoutMeta(hasHead ? first : {}), [to.messagesKey]: messages };
}

/** A whole reply in the stream goes back as the message that it is. */
function plainMessage(value: Json | undefined, to: Format): Json {
  if (!isObject(value)) return value ?? null;
  if (to.recognise(value)?.kind !== 'reply') return withoutMeta(value);
  const { role, parts, name } = to.readReply(value);
  return to.writeMessages([{ role, parts, name }], () => {})[0] ?? null;
}

function withoutMeta(value: JsonObject): JsonObject {
  if (!('_meta' in value)) return value;
  const { _meta, ...plain } = value;
  return plain;
}
