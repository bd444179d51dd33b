// The lines of a streamed reply: https://docs.ollama.com/api/streaming
import type { Delta } from '../../conversation/delta.ts';
import type { Message, ToolCallPart } from '../../conversation/types.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { readCalls } from '../chat/calls.ts';
import { type Known, type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { OLLAMA } from './name.ts';
import { readReply } from './reply.ts';
import type { MessageFields } from './types.ts';

/** Builds the reply as the API would have sent it whole, and tells each piece as it comes. */
export class OllamaStream implements StreamReader {
  #top: JsonObject = {};
  #message: JsonObject = {};
  #done = false;
  readonly #thinking: string[] = [];
  readonly #content: string[] = [];
  readonly #calls: JsonObject[] = [];
  readonly #logprobs: Json[] = [];

  get known(): Known {
    const { model } = this.#top;
    return typeof model === 'string' ? { by: { api: OLLAMA, model } } : {};
  }

  get done(): boolean {
    return this.#done;
  }

  push(event: JsonObject): Delta[] {
    if (event.error !== undefined)
      throw new UpstreamError(isObject(event.error) ? event : { error: { message: event.error } });
    const { message, logprobs, ...top } = event;
    this.#top = { ...this.#top, ...top };
    if (Array.isArray(logprobs)) for (const token of logprobs) this.#logprobs.push(token);
    this.#done ||= event.done === true;
    return message === undefined ? [] : this.#grow(asObject<JsonObject>(message, 'message'));
  }

  end(): Message {
    if (!this.#done) throw new UnfinishedStream('"done": true');
    const thinking = this.#thinking.length > 0 ? { thinking: this.#thinking.join('') } : {};
    const calls = this.#calls.length > 0 ? { tool_calls: this.#calls } : {};
    const message = { role: 'assistant', content: this.#content.join(''), ...thinking, ...this.#message, ...calls };
    return readReply({ ...this.#top, message, ...(this.#logprobs.length > 0 && { logprobs: this.#logprobs }) });
  }

  #grow(native: JsonObject): Delta[] {
    const {
      role: _r,
      content,
      thinking,
      tool_calls,
      images,
      tool_name,
      tool_call_id,
      _meta,
      ...rest
    } = native as MessageFields;
    const said = Object.entries({ images, tool_name, tool_call_id, ...rest }).filter(
      ([, value]) => value !== undefined,
    );
    this.#message = { ...this.#message, ...Object.fromEntries(said as [string, Json][]) };
    const deltas: Delta[] = [];
    if (typeof thinking === 'string' && thinking !== '') {
      this.#thinking.push(thinking);
      deltas.push({ type: 'delta', index: PLACES.thinking, reasoning: thinking });
    }
    if (typeof content === 'string' && content !== '') {
      this.#content.push(content);
      deltas.push({ type: 'delta', index: PLACES.content, text: content });
    }
    return [...deltas, ...readCalls(tool_calls, OLLAMA).map((call, i) => this.#call(call, (tool_calls ?? [])[i]))];
  }

  /** Calls come whole. */
  #call(call: ToolCallPart, native: unknown): Delta {
    const index = PLACES.calls + this.#calls.length;
    this.#calls.push(native as JsonObject);
    return { type: 'delta', index, id: call.id, name: call.name, arguments: argumentsOf(call) };
  }
}

const argumentsOf = ({ input, text }: ToolCallPart): string =>
  input === undefined ? (text ?? '') : JSON.stringify(input);

/** The order of a message's parts, whatever the order of their lines: fields have none of their own. */
const PLACES = { thinking: 0, content: 1, calls: 2 };
