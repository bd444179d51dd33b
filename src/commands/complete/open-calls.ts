// A conversation that waits for results: no model is asked before its calls have them.

import type { Message } from '../../lib/conversation/types.ts';
import { type Conversation, messageOf } from '../../lib/conversion/gather.ts';
import { EXIT, Failure, placeOf } from '../../lib/failure/failure.ts';

interface OpenCalls {
  /** Ids and names of the calls. */
  readonly calls: ReadonlyMap<string, string>;
  /** Only results stand behind them: the next stages run them. */
  readonly last: boolean;
}

/** Undefined where every call has its result. */
function openCalls(messages: readonly Message[]): OpenCalls | undefined {
  const calls = new Map<string, string>();
  let last = false;
  for (const { parts } of messages) {
    if (parts.some(({ type }) => type !== 'tool_result')) last = false;
    for (const part of parts) {
      if (part.type === 'tool_call' && part.by !== 'provider') {
        calls.set(part.id, part.name);
        last = true;
      }
      if (part.type === 'tool_result') calls.delete(part.callId);
    }
  }
  return calls.size > 0 ? { calls, last } : undefined;
}

/** What is said of a conversation that is passed on, since its last calls are open; undefined if there is something to ask. */
export function waitsFor(conversation: Conversation): string | undefined {
  const open = openCalls(messagesOf(conversation));
  if (!open?.last) return undefined;
  const [[id, name] = []] = open.calls;
  const more = open.calls.size > 1 ? ` and ${open.calls.size - 1} more have no result` : ' has no result';
  const place = placeOf(conversation.rolled ?? conversation.items.at(-1)?.rec);
  return `${place === undefined ? '' : `${place}: `}the call ${id} of ${name}${more}: no request is sent, and the conversation is passed through (run its calls with ai-pending, ai-permit and ai-exec)`;
}

const messagesOf = ({ items }: Conversation): Message[] => items.flatMap((item) => messageOf(item) ?? []);

/** Every API refuses a conversation without a message, and one whose calls have no results. Throws a Failure (65). */
export function refuseUnanswerable(conversation: Conversation): void {
  const messages = messagesOf(conversation);
  const [first] = openCalls(messages)?.calls ?? [];
  if (first === undefined && messages.length > 0) return;
  const place = placeOf(conversation.rolled ?? conversation.items.at(-1)?.rec ?? conversation.head?.rec);
  if (first === undefined)
    throw new Failure(EXIT.badInput, 'cannot complete: there is no message to answer', { place });
  throw new Failure(EXIT.badInput, `cannot complete: the call ${first[0]} of ${first[1]} has no result`, { place });
}
