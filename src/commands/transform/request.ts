// A conversation as the rules see it: one request, and where each of its messages comes from.

import type { Checked, Finding } from '../../lib/constraints/rules/types.ts';
import { isHidden } from '../../lib/conversation/hidden.ts';
import type { Message } from '../../lib/conversation/types.ts';
import { type Conversation, headOf, type Item, messageOf } from '../../lib/conversion/gather.ts';
import { Failure } from '../../lib/failure/failure.ts';
import type { Rec } from '../../lib/json/record.ts';
import { isObject } from '../../lib/json/values.ts';

export interface Sourced {
  readonly request: Checked;
  /** How many of the messages stand in the head. */
  readonly inHead: number;
  /** The item that each of the others was read from. */
  readonly items: ReadonlyMap<Message, Item>;
  /** Records that cannot be read, as findings, with their places. */
  readonly misshapen: readonly { readonly rec: Rec; readonly finding: Finding }[];
}

/** Reads a conversation. A record that its dialect cannot read is a finding, and is left out. */
export function sourced(conversation: Conversation): Sourced {
  const misshapen: { rec: Rec; finding: Finding }[] = [];
  const reading = <T>(rec: Rec, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      misshapen.push({ rec, finding: shape(error.message.replace('cannot read the record: ', '')) });
      return undefined;
    }
  };
  const { head: headItem, format, items } = conversation;
  const top = headItem ? reading(headItem.rec, () => headOf(conversation)) : undefined;
  const read = new Map<Message, Item>();
  for (const item of items) {
    if (item.identity === undefined && isLikeMessage(item.rec.value) && !isHidden(item.rec.value))
      misshapen.push({ rec: item.rec, finding: shape(`it is not a message of ${format.name}`) });
    const message = reading(item.rec, () => messageOf(item));
    if (message) read.set(message, item);
  }
  const head = conversation.rolled && Object.keys(headItem?.rec.value ?? {}).length === 0 ? undefined : top?.head;
  const messages = [...(top?.messages ?? []), ...read.keys()];
  const inHead = top?.messages.length ?? 0;
  return {
    request: { format: format.name, head, messages, ...(inHead > 0 && { inHead }) },
    inHead,
    items: read,
    misshapen,
  };
}

const shape = (what: string): Finding => ({ rule: 'shape', what, mend: 'write it as the API documentation describes' });

/** Records of ours have a `type`; what has a role, or messages, and is known to no dialect, is a broken message. */
const isLikeMessage = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.type !== 'string' &&
  (typeof value.role === 'string' || Array.isArray(value.messages));
