// The chunks of a streamed reply: https://platform.openai.com/docs/api-reference/chat-streaming
import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { JsonEnd } from '../codec/serial-parts.ts';
import { type Known, type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { OPENAI } from './name.ts';
import { readAnnotations } from './read-message.ts';
import { ReasoningDetails } from './reasoning-details.ts';
import { readReply } from './reply.ts';
import type { ChunkFields, DeltaFields } from './types.ts';

interface GrowingCall {
  readonly part: number;
  readonly call: JsonObject;
  readonly pieces: string[];
  readonly end: JsonEnd;
  /** Its name came again when its arguments were whole: another call may begin, under the same id. */
  named: boolean;
  readonly custom: boolean;
}

/** Builds the completion as the API would have sent it whole, and tells each piece as it comes. */
export class OpenAIStream implements StreamReader {
  #top: JsonObject = {};
  #choice: JsonObject = {};
  #message: JsonObject = {};
  #finished = false;
  readonly #texts = new Map<string, string[]>();
  readonly #annotations: Json[] = [];
  readonly #details = new ReasoningDetails();
  readonly #calls: GrowingCall[] = [];
  readonly #callAt = new Map<number, GrowingCall>();

  get known(): Known {
    const { id, model, created } = this.#top;
    return {
      ...(typeof id === 'string' && id !== '' && { id }),
      ...(typeof model === 'string' && model !== '' && { by: { api: OPENAI, model } }),
      ...(typeof created === 'number' && created > 0 && { at: created * 1000 }),
    };
  }

  /** Another id, after the reason why this one stopped. */
  isNext(event: JsonObject): boolean {
    if (!this.#finished) return false;
    const { id } = this.#top;
    return typeof event.id === 'string' && event.id !== '' && typeof id === 'string' && id !== '' && event.id !== id;
  }

  push(event: JsonObject): Delta[] {
    if (isObject(event.error) || event.type === 'error') throw new UpstreamError(event);
    const {
      choices,
      usage,
      object: _,
      obfuscation: _padding,
      ...top
    } = event as ChunkFields & { obfuscation?: string };
    this.#about(top as JsonObject, usage);
    const choice = Array.isArray(choices) ? choices.find((c) => (c?.index ?? 0) === 0) : undefined;
    if (!isObject(choice)) return [];
    const { delta, finish_reason, index: _i, ...more } = choice as JsonObject;
    this.#choice = { ...this.#choice, ...more, ...(finish_reason && { finish_reason }) };
    this.#finished ||= typeof finish_reason === 'string' && finish_reason !== '';
    return isObject(delta) ? this.#grow(delta) : [];
  }

  /** A first chunk may come without an id or a model (Azure's filter results): an empty one says nothing. */
  #about(top: JsonObject, usage: unknown): void {
    const told = Object.entries(top).filter(([field, value]) => value !== '' || !(field in this.#top));
    this.#top = { ...this.#top, ...Object.fromEntries(told), ...(isObject(usage) && { usage }) };
  }

  end(): Message {
    if (!this.#finished) throw new UnfinishedStream('finish_reason');
    const texts = [...this.#texts]
      .map(([field, pieces]) => [field, pieces.join('')] as const)
      .filter(([, text]) => text !== '');
    const calls = this.#calls.length > 0 ? { tool_calls: this.#calls.map(closeCall) } : {};
    const reasoning_details = this.#details.whole;
    const message = {
      role: 'assistant',
      content: null,
      ...this.#message,
      ...(this.#annotations.length > 0 && { annotations: this.#annotations }),
      ...(reasoning_details && { reasoning_details }),
      ...Object.fromEntries(texts),
      ...calls,
    };
    return readReply({ object: 'chat.completion', ...this.#top, choices: [{ index: 0, ...this.#choice, message }] });
  }

  #grow(native: JsonObject): Delta[] {
    const { role: _r, content, refusal, reasoning_content, reasoning, tool_calls, ...more } = native as DeltaFields;
    const { annotations, reasoning_details, ...rest } = more as JsonObject;
    if (Object.keys(rest).length > 0) this.#message = { ...this.#message, ...rest };
    if (Array.isArray(reasoning_details)) this.#details.push(reasoning_details);
    if (Array.isArray(annotations)) this.#annotations.push(...annotations);
    const calls = Array.isArray(tool_calls) ? (tool_calls as unknown as JsonObject[]) : [];
    return [
      ...this.#text('reasoning_content', 'reasoning', reasoning_content),
      ...this.#text('reasoning', 'reasoning', reasoning === reasoning_content ? undefined : reasoning),
      ...this.#text('content', 'text', content),
      ...this.#text('refusal', 'refusal', refusal),
      ...this.#cite(annotations),
      ...calls.flatMap((call) => (isObject(call) ? this.#call(call) : [])),
    ];
  }

  #cite(annotations: unknown): Delta[] {
    const known = readAnnotations(annotations)[0] ?? [];
    return known.map((citation) => ({ type: 'delta', index: PLACES.content, citation }));
  }

  #text(field: keyof typeof PLACES, to: 'text' | 'reasoning' | 'refusal', piece: unknown): Delta[] {
    if (typeof piece !== 'string') return [];
    const pieces = this.#texts.get(field) ?? [];
    this.#texts.set(field, pieces);
    pieces.push(piece);
    return piece === '' ? [] : [{ type: 'delta', index: PLACES[field], [to]: piece }];
  }

  /** Some servers send no index, and some send a second call under the index of the first: a new id is a new call. */
  #call(native: JsonObject): Delta[] {
    const fn = isObject(native.custom) ? native.custom : isObject(native.function) ? native.function : {};
    const at = typeof native.index === 'number' ? native.index : Math.max(0, this.#calls.length - (native.id ? 0 : 1));
    const before = this.#callAt.get(at);
    if (before) before.named ||= before.end.reached && typeof fn.name === 'string';
    const isNew =
      before === undefined ||
      (typeof native.id === 'string' && native.id !== '' && native.id !== before.call.id) ||
      (before.named && !!fn.arguments);
    // Some servers say all of a call once more at its end.
    if (before?.named && before.pieces.join('') === fn.arguments) return [];
    const growing = isNew
      ? this.#startCall(
          at,
          { ...(before?.named && before.call), ...native },
          before?.named ? { ...(before.call.function as JsonObject), ...fn } : fn,
        )
      : before;
    const piece = fn.arguments ?? fn.input;
    const text = typeof piece === 'string' ? piece : isObject(piece) ? JSON.stringify(piece) : '';
    growing.pieces.push(text);
    growing.end.push(text);
    const field = growing.custom ? { input: text } : { arguments: text };
    if (isNew)
      return [{ type: 'delta', index: growing.part, id: String(growing.call.id), name: nameOf(growing), ...field }];
    return text === '' ? [] : [{ type: 'delta', index: growing.part, ...field }];
  }

  #startCall(at: number, native: JsonObject, fn: JsonObject): GrowingCall {
    const { index: _, ...call } = native;
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${this.#calls.length}`;
    const custom = isObject(native.custom);
    const started = {
      part: CALLS + this.#calls.length,
      call: { ...call, id, [custom ? 'custom' : 'function']: fn },
      pieces: [],
      end: new JsonEnd(),
      named: false,
      custom,
    };
    this.#calls.push(started);
    this.#callAt.set(at, started);
    return started;
  }
}

const nameOf = ({ call }: GrowingCall): string => {
  const inner = call.custom ?? call.function;
  return String((isObject(inner) && inner.name) || '');
};

/** The order of a message's parts, whatever the order of their chunks: fields have none of their own. */
const PLACES = { reasoning_content: 0, reasoning: 1, content: 2, refusal: 3 };
const CALLS = 4;

function closeCall({ call, pieces, custom }: GrowingCall): JsonObject {
  const text = pieces.join('');
  if (custom) return { ...call, type: 'custom', custom: { ...(call.custom as JsonObject), input: text } };
  return { type: 'function', ...call, function: { ...(call.function as JsonObject), arguments: text } };
}
