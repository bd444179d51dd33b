// A reply as the chunks of its stream.
import type { Delta } from '../../conversation/delta.ts';
import type { Lose, Message, Part } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { Telling, wholeCalls } from '../codec/part-writer.ts';
import type { Known, StreamEvent, StreamWriter } from '../codec/stream.ts';
import { writeReply } from './reply.ts';

/** The chunks that would have brought the reply, and the text that ends a stream. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { choices, usage, _meta, ...top } = writeReply(message, lose);
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

/** Writes a foreign reply while it comes. Calls come whole here. */
export class MistralWriter implements StreamWriter {
  /** What every chunk says of the reply. */
  readonly #top: JsonObject;
  readonly #lose: Lose;
  #started = false;
  #calls = 0;
  readonly #telling = new Telling(
    wholeCalls({
      grow: (text, { kind }) =>
        this.#chunk({ content: kind === 'text' ? text : [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
      whole: (part) => this.#whole(part),
    }),
  );

  constructor({ id, by, at }: Known, lose: Lose) {
    const { choices: _, ...top } = writeReply({ role: 'assistant', parts: [], id, by, at }, () => {});
    this.#top = top;
    this.#lose = lose;
  }

  push(delta: Delta): StreamEvent[] {
    return this.#telling.push(delta);
  }

  end(message: Message): StreamEvent[] {
    const rest = this.#telling.end();
    const { choices, usage } = writeReply(message, () => {});
    const [{ finish_reason } = {}] = choices as JsonObject[];
    const last = { finish_reason: finish_reason ?? 'stop' };
    return [...rest, ...this.#chunk({ content: '' }, last, isObject(usage) ? { usage } : {}), { data: '[DONE]' }];
  }

  fail(why: string): StreamEvent[] {
    return [{ data: { object: 'error', message: why, type: 'internal_server_error', param: null, code: null } }];
  }

  #whole(part: Part): StreamEvent[] {
    const { choices } = writeReply({ role: 'assistant', parts: [part] }, this.#lose);
    const [{ message } = {}] = choices as JsonObject[];
    const { role: _, content, tool_calls, ...more } = message as JsonObject;
    const calls = Array.isArray(tool_calls)
      ? tool_calls.map((call) => ({ ...(call as JsonObject), index: this.#calls++ }))
      : [];
    const told = {
      ...(Array.isArray(content) && { content }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...more,
    };
    return Object.keys(told).length === 0 ? [] : this.#chunk(told);
  }

  #chunk(said: JsonObject, last: JsonObject = {}, more: JsonObject = {}): StreamEvent[] {
    const delta = this.#started ? said : { role: 'assistant', ...said };
    this.#started = true;
    const choices = [{ index: 0, delta, finish_reason: null, ...last }];
    return [{ data: { ...this.#top, object: 'chat.completion.chunk', choices, ...more } }];
  }
}
