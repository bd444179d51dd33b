// A reply as the events of its stream.
import type { Delta } from '../../conversation/delta.ts';
import type { Lose, Message, Part } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { type Begun, type Teller, Telling, type Told } from '../codec/part-writer.ts';
import type { Known, StreamEvent, StreamWriter } from '../codec/stream.ts';
import { writeReply } from './reply.ts';
import type { EventType } from './types.ts';

/** The events that would have brought the reply, in the API's order. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { message: said, id, _meta, ...last } = writeReply(message, lose);
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

/** Writes a foreign reply while it comes. What is said before a call is content: nobody knows yet that a call will follow. */
export class CohereWriter implements StreamWriter {
  readonly #known: Known;
  readonly #telling: Telling;
  #started = false;

  constructor(known: Known, lose: Lose) {
    this.#known = known;
    this.#telling = new Telling(new Blocks(lose));
  }

  push(delta: Delta): StreamEvent[] {
    return [...this.#start(), ...this.#telling.push(delta)];
  }

  end(message: Message): StreamEvent[] {
    const { message: _, id: _id, _meta, ...last } = writeReply(message, () => {});
    return [...this.#start(), ...this.#telling.end(), event('message-end', { delta: last })];
  }

  fail(why: string): StreamEvent[] {
    return [event('message-end', { delta: { error: why, finish_reason: 'ERROR' } })];
  }

  #start(): StreamEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const { id } = this.#known;
    const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
    return [event('message-start', { ...(id !== undefined && { id }), delta: { message } })];
  }
}

class Blocks implements Teller {
  readonly #lose: Lose;
  #blocks = 0;
  #calls = 0;

  constructor(lose: Lose) {
    this.#lose = lose;
  }

  begin({ kind, id, name }: Begun): StreamEvent[] {
    if (kind === 'call') {
      const tool_calls = { id, type: 'function', function: { name, arguments: '' } } as JsonObject;
      return [event('tool-call-start', { index: this.#calls++, delta: { message: { tool_calls } } })];
    }
    const content = kind === 'text' ? { type: kind, text: '' } : { type: 'thinking', thinking: '' };
    return [event('content-start', { index: this.#blocks++, delta: { message: { content } } })];
  }

  grow(piece: string, { kind }: Begun): StreamEvent[] {
    if (kind === 'call') {
      const tool_calls = { function: { arguments: piece } };
      return [event('tool-call-delta', { index: this.#calls - 1, delta: { message: { tool_calls } } })];
    }
    const content = kind === 'text' ? { text: piece } : { thinking: piece };
    return [event('content-delta', { index: this.#blocks - 1, delta: { message: { content } } })];
  }

  end({ kind }: Told): StreamEvent[] {
    if (kind === 'call') return [event('tool-call-end', { index: this.#calls - 1 })];
    return [event('content-end', { index: this.#blocks - 1 })];
  }

  whole(part: Part): StreamEvent[] {
    const { message } = writeReply({ role: 'assistant', parts: [part] }, this.#lose);
    return listOf((message as JsonObject).content).flatMap((block) => writeBlock(block, this.#blocks++));
  }
}
