// The events of a streamed reply: https://docs.cohere.com/v2/docs/streaming
import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { type Known, type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { readCitation } from './citations.ts';
import { readReply } from './reply.ts';
import type { EventType } from './types.ts';

type Handler = (message: JsonObject, index: number, event: JsonObject, delta: JsonObject) => Delta[];

interface GrowingBlock {
  readonly fields: JsonObject;
  readonly pieces: string[];
}

/** Builds the reply as the API would have sent it whole, and tells each piece as it comes. */
export class CohereStream implements StreamReader {
  #top: JsonObject = {};
  #message: JsonObject = {};
  #done = false;
  readonly #blocks = new Map<number, GrowingBlock>();
  readonly #plan: string[] = [];
  readonly #calls = new Map<number, GrowingBlock>();
  readonly #citations: JsonObject[] = [];

  get known(): Known {
    const { id } = this.#top;
    return typeof id === 'string' ? { id } : {};
  }

  get done(): boolean {
    return this.#done;
  }

  push(event: JsonObject): Delta[] {
    const delta = isObject(event.delta) ? event.delta : {};
    const index = typeof event.index === 'number' ? event.index : 0;
    const handle = lookup<Handler>(this.#handlers, event.type);
    if (handle) return handle(isObject(delta.message) ? delta.message : {}, index, event, delta);
    if (event.type === undefined || event.type === 'error') throw new UpstreamError(event);
    return [];
  }

  end(): Message {
    if (!this.#done) throw new UnfinishedStream('message-end');
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => closeBlock(block));
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([, call]) => closeCall(call));
    const message = {
      role: 'assistant',
      ...this.#message,
      ...(blocks.length > 0 && { content: blocks }),
      ...(this.#plan.length > 0 && { tool_plan: this.#plan.join('') }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(this.#citations.length > 0 && { citations: this.#citations }),
    };
    return readReply({ ...this.#top, message });
  }

  readonly #handlers: { readonly [type in EventType]: Handler } = {
    'message-start': (message, _index, event) => this.#start(message, event),
    'content-start': ({ content }, index) => this.#startBlock(isObject(content) ? content : {}, index),
    'content-delta': ({ content }, index) => this.#growBlock(isObject(content) ? content : {}, index),
    'content-end': () => [],
    'tool-plan-delta': ({ tool_plan }) => this.#growPlan(tool_plan),
    'tool-call-start': ({ tool_calls }, index) => this.#startCall(isObject(tool_calls) ? tool_calls : {}, index),
    'tool-call-delta': ({ tool_calls }, index) => this.#growCall(isObject(tool_calls) ? tool_calls : {}, index),
    'tool-call-end': () => [],
    'citation-start': ({ citations }) => this.#cite(citations),
    'citation-end': () => [],
    'message-end': (_message, _index, event, delta) => this.#finish(event, delta),
    debug: () => [],
  };

  #start(message: JsonObject, event: JsonObject): Delta[] {
    // The fields that are empty at the beginning are absent at the end, if nothing was added to them.
    const { content: _c, tool_plan: _p, tool_calls: _t, citations: _s, role: _r, ...more } = message;
    this.#message = more;
    if (event.id !== undefined) this.#top = { id: event.id };
    return [];
  }

  #startBlock(fields: JsonObject, index: number): Delta[] {
    const { text, thinking, ...rest } = fields;
    const { pieces } = this.#block(index, {
      ...rest,
      type: rest.type ?? (thinking === undefined ? 'text' : 'thinking'),
    });
    return grow(pieces, index, fields);
  }

  #growBlock(fields: JsonObject, index: number): Delta[] {
    const type = fields.thinking === undefined ? 'text' : 'thinking';
    return grow(this.#block(index, { type }).pieces, index, fields);
  }

  #block(index: number, fields: JsonObject): GrowingBlock {
    const block = this.#blocks.get(index) ?? { fields, pieces: [] };
    this.#blocks.set(index, block);
    return block;
  }

  #growPlan(piece: unknown): Delta[] {
    if (typeof piece !== 'string' || piece === '') return [];
    this.#plan.push(piece);
    return [{ type: 'delta', index: PLAN, text: piece }];
  }

  #startCall(fields: JsonObject, index: number): Delta[] {
    const fn = isObject(fields.function) ? fields.function : {};
    const piece = String(fn.arguments ?? '');
    this.#calls.set(index, { fields, pieces: [piece] });
    const id = String(fields.id ?? '');
    return [{ type: 'delta', index: CALLS + index, id, name: String(fn.name ?? ''), arguments: piece }];
  }

  #growCall(fields: JsonObject, index: number): Delta[] {
    const piece = isObject(fields.function) ? fields.function.arguments : undefined;
    const growing = this.#calls.get(index);
    if (typeof piece !== 'string' || piece === '' || growing === undefined) return [];
    growing.pieces.push(piece);
    return [{ type: 'delta', index: CALLS + index, arguments: piece }];
  }

  #cite(native: Json | undefined): Delta[] {
    const cited = (Array.isArray(native) ? native : [native]).filter(isObject);
    this.#citations.push(...cited);
    return cited.flatMap((citation) => {
      const at = typeof citation.content_index === 'number' ? citation.content_index : 0;
      if (citation.type === 'THINKING_CONTENT') return [];
      return [{ type: 'delta', index: citation.type === 'PLAN' ? PLAN : at, citation: readCitation(citation) }];
    });
  }

  #finish(event: JsonObject, delta: JsonObject): Delta[] {
    if (typeof delta.error === 'string' && delta.error !== '')
      throw new UpstreamError({ error: { message: delta.error } });
    const { error: _e, ...fields } = delta;
    const { type: _t, delta: _d, index: _i, ...top } = event;
    this.#top = { ...this.#top, ...top, ...fields };
    this.#done = true;
    return [];
  }
}

/** The order of a message's parts: content, then the plan, then the calls. A stream does not say beforehand how much content there is. */
const PLAN = 10_000;
const CALLS = 10_001;

function grow(pieces: string[], index: number, { text, thinking }: JsonObject): Delta[] {
  const piece = typeof text === 'string' ? text : thinking;
  if (typeof piece !== 'string' || piece === '') return [];
  pieces.push(piece);
  return [{ type: 'delta', index, [typeof text === 'string' ? 'text' : 'reasoning']: piece }];
}

function closeBlock({ fields, pieces }: GrowingBlock): JsonObject {
  return { ...fields, [fields.type === 'thinking' ? 'thinking' : 'text']: pieces.join('') };
}

function closeCall({ fields, pieces }: GrowingBlock): JsonObject {
  return { ...fields, function: { ...(fields.function as JsonObject), arguments: pieces.join('') } };
}
