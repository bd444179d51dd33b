// A reply as the lines of its stream.
import type { JsonObject } from '../../ir/json.ts';
import type { Lose, Message } from '../../ir/types.ts';
import type { StreamEvent } from '../stream.ts';
import { writeReply } from './reply.ts';

/** The lines that would have brought the reply: what was thought, said and called, and last the counts. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { message: said, done: _, ...last } = writeReply(message, lose);
  const { role, content, thinking, tool_calls, ...more } = said as JsonObject;
  const { model, created_at } = last;
  const top = { ...(model !== undefined && { model }), ...(created_at !== undefined && { created_at }) };
  const line = (fields: JsonObject): StreamEvent => ({ data: { ...top, message: { role, ...fields }, done: false } });
  return [
    ...(typeof thinking === 'string' ? [line({ content: '', thinking })] : []),
    ...(typeof content === 'string' && content !== '' ? [line({ content })] : []),
    ...(tool_calls ? [line({ content: '', tool_calls })] : []),
    { data: { ...last, message: { role, content: '', ...more }, done: true } },
  ];
}
