// The conversations of the input, and which of them can be answered: one that waits for results of tool calls cannot.

import type { Message } from '../../../lib/conversation/types.ts';
import { type Conversation, Gatherer, messageOf } from '../../../lib/conversion/gather.ts';
import { EXIT, Failure, placeOf } from '../../../lib/failure/failure.ts';
import type { Rec } from '../../../lib/json/record.ts';
import { Recognition } from '../../../lib/transcripts/recognition.ts';

/** Groups records into conversations. Throws a Failure (65) for input that is no conversation, before it is yielded. */
export async function* readConversations(records: AsyncIterable<Rec>): AsyncGenerator<Conversation> {
  const gatherer = new Gatherer();
  const recognition = new Recognition({ program: 'ai-complete' });
  for await (const rec of records) {
    recognition.see(rec);
    yield* checkRecognised(gatherer.push(rec), recognition);
  }
  yield* checkRecognised(gatherer.end(), recognition);
}

function checkRecognised(conversations: readonly Conversation[], recognition: Recognition): readonly Conversation[] {
  if (conversations.length === 0) return conversations;
  const [failure] = recognition.failures();
  if (failure) throw failure;
  return conversations;
}

/** Whether there is anything to send: records of our own alone, or blank lines, are nothing. */
export const hasContent = ({ rolled, head, items }: Conversation): boolean =>
  rolled !== undefined || head !== undefined || items.some(({ identity }) => identity !== undefined);

interface PendingCalls {
  /** Ids and names of the calls. */
  readonly calls: ReadonlyMap<string, string>;
  /** Only results follow them: the next programs of the pipe run the rest. */
  readonly last: boolean;
}

/** The calls without results; undefined where every call has one. */
function findPendingCalls(messages: readonly Message[]): PendingCalls | undefined {
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

/** The note for a conversation that is passed on because its last calls have no results yet; undefined for one that can be answered. */
export function describePendingCalls(conversation: Conversation): string | undefined {
  const open = findPendingCalls(messagesOf(conversation));
  if (!open?.last) return undefined;
  const [[id, name] = []] = open.calls;
  const more = open.calls.size > 1 ? ` and ${open.calls.size - 1} more have no result` : ' has no result';
  const place = placeOf(conversation.rolled ?? conversation.items.at(-1)?.rec);
  return `${place === undefined ? '' : `${place}: `}the call ${id} of ${name}${more}: no request is sent, and the conversation is passed through (run its calls with ai-pending, ai-permit and ai-exec)`;
}

const messagesOf = ({ items }: Conversation): Message[] => items.flatMap((item) => messageOf(item) ?? []);

/** Throws a Failure (65) for a conversation without a message, and for one with a call without a result: every API refuses both. */
export function requireAnswerable(conversation: Conversation): void {
  const messages = messagesOf(conversation);
  const [first] = findPendingCalls(messages)?.calls ?? [];
  if (first === undefined && messages.length > 0) return;
  const place = placeOf(conversation.rolled ?? conversation.items.at(-1)?.rec ?? conversation.head?.rec);
  if (first === undefined)
    throw new Failure(EXIT.badInput, 'cannot complete: there is no message to answer', { place });
  throw new Failure(EXIT.badInput, `cannot complete: the call ${first[0]} of ${first[1]} has no result`, { place });
}
