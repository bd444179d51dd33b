// A reply as the events of its stream.
import type { JsonObject } from '../../ir/json.ts';
import type { Lose, Message } from '../../ir/types.ts';
import type { StreamEvent } from '../stream.ts';
import { writeReply } from './reply.ts';
import type { EventType } from './types.ts';

/** The events that would have brought the reply, in the API's order. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { message: said, id, ...last } = writeReply(message, lose);
  const { role, content, tool_plan, tool_calls, citations, ...more } = said as JsonObject;
  const empty = { content: [], tool_plan: '', tool_calls: [], citations: [] };
  const start = { ...(id !== undefined && { id }), delta: { message: { role, ...empty, ...more } } };
  return [
    event('message-start', start),
    ...listOf(content).flatMap(writeBlock),
    ...(typeof tool_plan === 'string' ? [event('tool-plan-delta', { delta: { message: { tool_plan } } })] : []),
    ...listOf(tool_calls).flatMap(writeCall),
    ...listOf(citations).flatMap((citation, index) => [
      event('citation-start', { index, delta: { message: { citations: citation } } }),
      event('citation-end', { index }),
    ]),
    event('message-end', { delta: last }),
  ];
}

const event = (type: EventType, fields: JsonObject): StreamEvent => ({ event: type, data: { type, ...fields } });

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value : []);

function writeBlock(block: JsonObject, index: number): StreamEvent[] {
  const field = block.type === 'thinking' ? 'thinking' : 'text';
  const at = (content: JsonObject) => ({ index, delta: { message: { content } } });
  return [
    event('content-start', at({ ...block, [field]: '' })),
    event('content-delta', at({ [field]: block[field] })),
    event('content-end', { index }),
  ];
}

function writeCall(call: JsonObject, index: number): StreamEvent[] {
  const fn = call.function as JsonObject;
  const at = (tool_calls: JsonObject) => ({ index, delta: { message: { tool_calls } } });
  return [
    event('tool-call-start', at({ ...call, function: { ...fn, arguments: '' } })),
    event('tool-call-delta', at({ function: { arguments: fn.arguments } })),
    event('tool-call-end', { index }),
  ];
}
