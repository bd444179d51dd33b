// Where a conversation stands: who is to go on, and what was said last.

import type { Message } from '../../lib/conversation/types.ts';
import { type Conversation, messageOf } from '../../lib/conversion/gather.ts';
import { openCalls } from '../../lib/conversion/open-calls.ts';
import { isObject, type Json } from '../../lib/json/values.ts';

/** `tools`: calls want results. `model`: it has not answered yet. `user`: it has, or nobody has said anything. */
type Turn = 'tools' | 'model' | 'user';

/** Throws a Failure (65) for a message that cannot be read. */
export function turnIn(conversation: Conversation | undefined): Turn {
  if (conversation === undefined) return 'user';
  if (openCalls(conversation, false, 0).length > 0) return 'tools';
  const last = said(conversation).at(-1);
  if (last === undefined) return 'user';
  // A model that was made to pause goes on when it is asked again.
  return last.role === 'assistant' && last.stop?.reason !== 'pause' ? 'user' : 'model';
}

/** The messages, without those of the system: they want no answer. */
function said({ items }: Conversation): Message[] {
  const messages = items.map(messageOf).filter((message) => message !== undefined);
  return messages.filter(({ role }) => role !== 'system' && role !== 'developer');
}

/** The text of the messages that the model said last; empty if somebody else has spoken since, or it said none. */
export function answerIn(conversation: Conversation | undefined): string {
  const messages = conversation ? said(conversation) : [];
  const before = messages.findLastIndex(({ role }) => role !== 'assistant');
  return messages
    .slice(before + 1)
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n');
}

/** What the user said last; undefined if nothing. What hooks have said for the user does not count. */
export function promptIn(conversation: Conversation | undefined): string | undefined {
  const message = conversation?.items
    .filter(({ rec }) => !isOfHook(rec.value))
    .map(messageOf)
    .findLast((each) => each?.role === 'user' && each.parts.every(({ type }) => type !== 'tool_result'));
  return message && textOf(message);
}

const isOfHook = (value: Json | undefined): boolean =>
  isObject(value) &&
  isObject(value._meta) &&
  typeof value._meta.source === 'string' &&
  value._meta.source.startsWith('hook:');

const textOf = ({ parts }: Message): string =>
  parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('');
