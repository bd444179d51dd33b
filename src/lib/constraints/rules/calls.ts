// Calls and results of a conversation, matched.
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../conversation/types.ts';
import type { ResultPlace } from '../../dialects/constraints.ts';

export const isCall = (part: Part): part is ToolCallPart => part.type === 'tool_call' && part.by !== 'provider';
export const isResult = (part: Part): part is ToolResultPart => part.type === 'tool_result' && part.by !== 'provider';

export const hasResult = (message: Message): boolean => message.parts.some(isResult);
export const hasCall = (message: Message): boolean => message.role === 'assistant' && message.parts.some(isCall);

/** A result in its message. */
export interface Placed {
  readonly at: number;
  readonly part: ToolResultPart;
}

/** Calls that are answered together, and where: from the first message behind them up to `end`. */
export interface Turn {
  readonly calls: readonly { readonly at: number; readonly call: ToolCallPart }[];
  /** The first message behind the calls. */
  readonly start: number;
  /** The first message in which their results may not stand any more. */
  readonly end: number;
}

/** The turns with calls, in order. */
export function turnsOf(messages: readonly Message[], place: ResultPlace): Turn[] {
  const turns: Turn[] = [];
  for (let i = 0; i < messages.length; ) {
    const message = messages[i] as Message;
    if (message.role !== 'assistant') {
      i += 1;
      continue;
    }
    // Messages of the assistant in a row are one turn, where results stand in the turn behind.
    let start = i + 1;
    while (place !== 'messages' && messages[start]?.role === 'assistant') start += 1;
    let end = start;
    while (end < messages.length && isAnswer(messages[end] as Message, place)) end += 1;
    const calls = messages
      .slice(i, start)
      .flatMap((said, k) => said.parts.filter(isCall).map((call) => ({ at: i + k, call })));
    if (calls.length > 0) turns.push({ calls, start, end: place === 'later' ? messages.length : end });
    i = start;
  }
  return turns;
}

function isAnswer({ role, parts }: Message, place: ResultPlace): boolean {
  if (place === 'messages') return parts.length > 0 && parts.every(isResult);
  return role === 'user' || role === 'tool';
}

/** All results by the id of their call, in order. */
export function resultsById(messages: readonly Message[]): Map<string, Placed[]> {
  const found = new Map<string, Placed[]>();
  messages.forEach((message, at) => {
    for (const part of message.parts) {
      if (!isResult(part)) continue;
      const list = found.get(part.callId);
      if (list) list.push({ at, part });
      else found.set(part.callId, [{ at, part }]);
    }
  });
  return found;
}
