// Ids for calls that have none.
import type { Message, Part } from '../ir/types.ts';

/** Numbers the calls of a conversation; a result answers the oldest call that is still open. */
export function numbered(): (message: Message) => Message {
  const open: string[] = [];
  let next = 0;
  let count = 0;
  const fresh = () => `call_${++count}`;
  return (message) => {
    if (!message.parts.some(isCall) && !message.parts.some(isResult)) {
      // What a person says ends the wait for results.
      if (message.role === 'user') next = open.length;
      return message;
    }
    const parts = message.parts.map((part): Part => {
      if (isCall(part)) {
        const id = fresh();
        open.push(id);
        return { ...part, id };
      }
      return isResult(part) ? { ...part, callId: open[next++] ?? fresh() } : part;
    });
    next = Math.min(next, open.length);
    return { ...message, parts };
  };
}

const isCall = (part: Part): part is Part & { type: 'tool_call' } => part.type === 'tool_call';
const isResult = (part: Part): part is Part & { type: 'tool_result' } => part.type === 'tool_result';
