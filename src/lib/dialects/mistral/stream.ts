// The chunks of a streamed reply: https://docs.mistral.ai/api/endpoint/chat
import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { type Known, type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { MISTRAL } from './name.ts';
import { readChunk, textOf } from './read-chunks.ts';
import { readReply } from './reply.ts';
import type { ChunkEventFields, DeltaFields } from './types.ts';

interface GrowingCall {
  readonly part: number;
  readonly call: JsonObject;
  readonly fn: JsonObject;
  readonly pieces: string[];
  whole?: JsonObject;
}

/** A text or a thinking chunk that grows, or one that came whole. */
interface GrowingChunk {
  readonly part: number;
  fields: JsonObject;
  readonly pieces: string[];
}

/** Builds the completion as the API would have sent it whole, and tells each piece as it comes. */
export class MistralStream implements StreamReader {
  #top: JsonObject = {};
  #choice: JsonObject = {};
  #message: JsonObject = {};
  #finished = false;
  /** Whether the content is a list: it is one as soon as a chunk comes. */
  #listed = false;
  readonly #chunks: GrowingChunk[] = [];
  readonly #calls: GrowingCall[] = [];

  get known(): Known {
    const { id, model } = this.#top;
    return {
      ...(typeof id === 'string' && { id }),
      ...(typeof model === 'string' && { by: { api: MISTRAL, model } }),
    };
  }

  isNext({ id }: JsonObject): boolean {
    return this.#finished && typeof id === 'string' && typeof this.#top.id === 'string' && id !== this.#top.id;
  }

  push(event: JsonObject): Delta[] {
    if (event.object === 'error' || event.type === 'error' || isObject(event.error)) throw new UpstreamError(event);
    const { choices, usage, object: _o, id, created, model, ...rest } = event as ChunkEventFields;
    const known = { id, created, model, ...(isObject(usage) && { usage: usage as unknown as Json }) };
    this.#top = { ...this.#top, ...(rest as JsonObject), ...known };
    const choice = Array.isArray(choices) ? choices.find(({ index }) => (index ?? 0) === 0) : undefined;
    if (!isObject(choice)) return [];
    const { delta, finish_reason, index: _i, ...more } = choice as JsonObject;
    this.#choice = { ...this.#choice, ...more, ...(finish_reason && { finish_reason }) };
    this.#finished ||= typeof finish_reason === 'string' && finish_reason !== '';
    return isObject(delta) ? this.#grow(delta) : [];
  }

  end(): Message {
    if (!this.#finished) throw new UnfinishedStream('finish_reason');
    const closed = this.#chunks.map(closeChunk);
    const text = closed.map(({ text }) => text).join('');
    const content = this.#listed ? closed : text;
    const calls = this.#calls.length > 0 ? { tool_calls: this.#calls.map(closeCall) } : {};
    const message = { role: 'assistant', ...this.#message, content, ...calls };
    return readReply({ object: 'chat.completion', ...this.#top, choices: [{ index: 0, ...this.#choice, message }] });
  }

  #grow(native: JsonObject): Delta[] {
    const { role: _r, content, tool_calls, tool_call_id, index: _i, metadata, ...rest } = native as DeltaFields;
    const kept = { tool_call_id, metadata };
    const said = Object.entries({ ...rest, ...kept }).filter(([, value]) => value !== undefined && value !== null);
    this.#message = { ...this.#message, ...Object.fromEntries(said as [string, Json][]) };
    const calls = Array.isArray(tool_calls) ? (tool_calls as unknown as JsonObject[]) : [];
    return [...this.#content(content), ...calls.flatMap((call) => this.#call(call))];
  }

  #content(content: unknown): Delta[] {
    if (typeof content === 'string') return content === '' ? [] : this.#piece({ type: 'text', text: content });
    if (!Array.isArray(content)) return [];
    this.#listed = true;
    return (content as JsonObject[]).flatMap((chunk) => (isObject(chunk) ? this.#piece(chunk) : []));
  }

  /** A chunk of the type of the last one goes on with it. */
  #piece(chunk: JsonObject): Delta[] {
    const { type, text, thinking, ...more } = chunk;
    const last = this.#chunks.at(-1);
    const grows = type === 'text' || type === 'thinking';
    const growing = grows && last?.fields.type === type ? last : this.#startChunk(chunk, grows);
    if (!grows) return [{ type: 'delta', index: growing.part, part: readChunk(chunk, growing.part) }];
    growing.fields = { ...growing.fields, ...more };
    const piece =
      type === 'text' ? String(text ?? '') : textOf(Array.isArray(thinking) ? thinking : [{ text: thinking }]);
    growing.pieces.push(piece);
    if (piece === '') return [];
    return [{ type: 'delta', index: growing.part, [type === 'text' ? 'text' : 'reasoning']: piece }];
  }

  #startChunk(chunk: JsonObject, grows: boolean): GrowingChunk {
    const started = { part: this.#chunks.length, fields: grows ? { type: chunk.type } : chunk, pieces: [] };
    this.#chunks.push(started);
    return started;
  }

  /** A call comes whole as a rule. One that comes in pieces repeats its index, without a new id. */
  #call(native: JsonObject): Delta[] {
    const fn = isObject(native.function) ? native.function : {};
    const named = typeof native.id === 'string' && native.id !== '' && native.id !== 'null';
    const before = this.#calls.findLast(({ call }) => native.index === undefined || call.index === native.index);
    const goesOn = before !== undefined && (named ? before.call.id === native.id : !fn.name);
    const growing = goesOn ? before : this.#startCall(native, fn, named);
    const piece = isObject(fn.arguments) ? JSON.stringify(fn.arguments) : String(fn.arguments ?? '');
    if (isObject(fn.arguments)) growing.whole = fn.arguments;
    growing.pieces.push(piece);
    const at = { type: 'delta', index: growing.part } as const;
    if (!goesOn) return [{ ...at, id: String(growing.call.id), name: String(fn.name ?? ''), arguments: piece }];
    return piece === '' ? [] : [{ ...at, arguments: piece }];
  }

  #startCall(native: JsonObject, fn: JsonObject, named: boolean): GrowingCall {
    const { function: _, ...call } = native;
    const id = named ? (native.id as string) : `call_${this.#calls.length}`;
    const started = { part: CALLS + this.#calls.length, call: { ...call, id }, fn, pieces: [] };
    this.#calls.push(started);
    return started;
  }
}

/** Calls come after all content in a message, and a stream does not say beforehand how much there is of it. */
const CALLS = 10_000;

function closeChunk({ fields, pieces }: GrowingChunk): JsonObject {
  const text = pieces.join('');
  if (fields.type === 'text') return { ...fields, text };
  return fields.type === 'thinking' ? { ...fields, thinking: [{ type: 'text', text }] } : fields;
}

function closeCall({ call, fn, pieces, whole }: GrowingCall): JsonObject {
  return { ...call, function: { ...fn, arguments: whole ?? pieces.join('') } };
}
