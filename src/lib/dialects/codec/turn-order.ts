// Texts behind calls, in formats that have one field for what is said and another for what is called: the order is kept in `_meta.order`.

import type { FormatName, Lose, Message, Part, TextPart, ToolCallPart } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';

const isCall = (part: Part): part is ToolCallPart => part.type === 'tool_call' && part.by === undefined;
const isText = (part: Part): part is TextPart => part.type === 'text';

/** Whether something is said behind a call. */
function isMixed(parts: readonly Part[]): boolean {
  let called = false;
  for (const part of parts) {
    if (called && isText(part) && part.text !== '') return true;
    called ||= isCall(part);
  }
  return false;
}

/**
 * The group with its order under the `_meta` of the first message, which is said to have moved. The same group where nothing does, or where it was
 * read from `format`: what it came to hold since has no order there.
 */
export function withOrder(
  group: readonly Message[],
  parts: readonly Part[],
  format: FormatName,
  lose: Lose,
): readonly Message[] {
  const [first, ...rest] = group;
  if (first === undefined || !isMixed(parts) || group.every(({ form }) => form?.[format] !== undefined)) return group;
  lose('order', 'the text is put before the calls (its position is kept in _meta.order)', 'moved');
  const order = parts.flatMap((part): Json[] => (isCall(part) ? [CALL] : isText(part) ? [part.text.length] : []));
  return [{ ...first, meta: { ...first.meta, order } }, ...rest];
}

const CALL = 'call';

/** The message with its texts and calls in the order that it came in, as long as it still holds as many. */
export function inOrder(message: Message): Message {
  const { order, ...meta } = message.meta ?? {};
  if (!Array.isArray(order)) return message;
  const texts = message.parts.filter(isText);
  const calls = message.parts.filter(isCall);
  const placed = arranged(order, texts, calls);
  const others = message.parts.filter((part) => !isText(part) && !isCall(part));
  const left: JsonObject | undefined = Object.keys(meta).length > 0 ? meta : undefined;
  return { ...message, parts: placed ? [...others, ...placed] : message.parts, meta: left };
}

function arranged(
  order: readonly Json[],
  texts: readonly TextPart[],
  calls: readonly ToolCallPart[],
): Part[] | undefined {
  const lengths = order.filter((step) => typeof step === 'number');
  const whole = texts.map(({ text }) => text).join('');
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total !== whole.length || order.length - lengths.length !== calls.length) return undefined;
  const same = texts.length === lengths.length && texts.every(({ text }, i) => text.length === lengths[i]);
  const waiting = same ? [...texts] : cut(whole, lengths);
  const open = [...calls];
  return order.flatMap((step): Part[] => {
    const part = typeof step === 'number' ? waiting.shift() : open.shift();
    return part ? [part] : [];
  });
}

function cut(whole: string, lengths: readonly number[]): TextPart[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return { type: 'text', text: whole.slice(at - length, at) };
  });
}

/** Whether `_meta` says the order of a message. */
export const hasOrder = (meta: unknown): boolean => isObject(meta) && meta.order !== undefined;
