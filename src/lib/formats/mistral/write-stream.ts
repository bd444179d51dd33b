// A reply as the chunks of its stream.
import { isObject, type Json, type JsonObject } from '../../ir/json.ts';
import type { Lose, Message } from '../../ir/types.ts';
import type { StreamEvent } from '../stream.ts';
import { writeReply } from './reply.ts';

/** The chunks that would have brought the reply, and the text that ends a stream. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { choices, usage, ...top } = writeReply(message, lose);
  const [{ message: said, finish_reason, ...choice } = {}] = choices as JsonObject[];
  const { content, tool_calls, role: _, ...more } = said as JsonObject;
  const event = (delta: JsonObject, last?: JsonObject): StreamEvent => ({
    data: {
      ...top,
      object: 'chat.completion.chunk',
      choices: [{ ...choice, delta, finish_reason: last ? (finish_reason ?? null) : null }],
      ...last,
    },
  });
  return [
    event({ role: 'assistant', content: '', ...more }),
    ...pieces(content).map((piece) => event({ content: piece })),
    ...(tool_calls ? [event({ tool_calls })] : []),
    event({ content: '' }, isObject(usage) ? { usage } : {}),
    { data: '[DONE]' },
  ];
}

/** Each chunk of a content on its own; a text as it is. */
function pieces(content: Json | undefined): Json[] {
  if (Array.isArray(content)) return content.map((chunk) => [chunk]);
  return typeof content === 'string' && content !== '' ? [content] : [];
}
