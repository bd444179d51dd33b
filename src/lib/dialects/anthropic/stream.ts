// The event stream of a reply: https://platform.claude.com/docs/en/build-with-claude/streaming

import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { type Known, type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { readCitation } from './citations.ts';
import { ANTHROPIC } from './name.ts';
import { readBlock } from './read-blocks.ts';
import { readReply, readUsage } from './reply.ts';

interface Growing {
  block: JsonObject;
  readonly pieces: { [field: string]: string[] };
  readonly citations: Json[];
}

/** Builds the reply as the API would have sent it whole, and tells each piece as it comes. */
export class AnthropicStream implements StreamReader {
  #message: JsonObject | undefined;
  readonly #blocks = new Map<number, Growing>();
  #stopped = false;

  get known(): Known {
    const { id, model, usage } = this.#message ?? {};
    return {
      ...(typeof id === 'string' && { id }),
      ...(typeof model === 'string' && { by: { api: ANTHROPIC, model } }),
      ...(isObject(usage) && { usage: readUsage(usage) }),
    };
  }

  get done(): boolean {
    return this.#stopped;
  }

  isNext(event: JsonObject): boolean {
    return event.type === 'message_start' && this.#message !== undefined;
  }

  push(event: JsonObject): Delta[] {
    switch (event.type) {
      case 'message_start':
        // What came before it was given up by a server in between, and may have been told.
        if (this.#message) throw new UnfinishedStream('message_stop');
        this.#message = asObject<JsonObject>(event.message, 'message');
        return [];
      case 'content_block_start':
        return this.#startBlock(Number(event.index), asObject<JsonObject>(event.content_block, 'content_block'));
      case 'content_block_delta':
        return this.#grow(Number(event.index), asObject<JsonObject>(event.delta, 'delta'));
      case 'content_block_stop':
        return this.#stopBlock(Number(event.index));
      case 'message_delta':
        this.#finishMessage(event);
        return [];
      case 'message_stop':
        this.#stopped = true;
        return [];
      case 'error':
        throw new UpstreamError(event);
      default:
        return [];
    }
  }

  end(): Message {
    if (!this.#stopped || this.#message === undefined) throw new UnfinishedStream('message_stop');
    return readReply({
      ...this.#message,
      content: [...this.#blocks].sort(([a], [b]) => a - b).map(([, growing]) => close(growing)),
    });
  }

  #startBlock(index: number, block: JsonObject): Delta[] {
    const citations = Array.isArray(block.citations) ? [...block.citations] : [];
    this.#blocks.set(index, { block, pieces: {}, citations });
    const { type, id, name, text, thinking } = block;
    if (type === 'text') return typeof text === 'string' && text !== '' ? [{ type: 'delta', index, text }] : [];
    if (type === 'thinking')
      return typeof thinking === 'string' && thinking !== '' ? [{ type: 'delta', index, reasoning: thinking }] : [];
    if (type === 'tool_use')
      return [{ type: 'delta', index, id: String(id), name: String(name), arguments: wholeInput(block.input) }];
    return GROWING.has(type) ? [] : [{ type: 'delta', index, part: readBlock(block) }];
  }

  #grow(index: number, delta: JsonObject): Delta[] {
    const growing = this.#blocks.get(index);
    if (growing === undefined) return [];
    const { type } = delta;
    const field = lookup(FIELDS, type);
    const piece = field && delta[field.from];
    if (type === 'citations_delta') {
      growing.citations.push(delta.citation as Json);
      return [{ type: 'delta', index, citation: readCitation(delta.citation) }];
    }
    if (type === 'compaction_delta') {
      const { type: _, ...fields } = delta;
      growing.block = { ...growing.block, ...fields };
      return [];
    }
    if (field === undefined || typeof piece !== 'string') return [];
    growing.pieces[field.from] ??= [];
    growing.pieces[field.from]?.push(piece);
    return field.to && !GROWING.has(growing.block.type) ? [{ type: 'delta', index, [field.to]: piece }] : [];
  }

  /** A block that means nothing before it is whole is told now; calls of the provider are not told at all. */
  #stopBlock(index: number): Delta[] {
    const growing = this.#blocks.get(index);
    if (growing?.block.type !== 'compaction') return [];
    return [{ type: 'delta', index, part: readBlock(close(growing)) }];
  }

  #finishMessage(event: JsonObject): void {
    const { type: _, delta, usage, ...more } = event;
    const before = this.#message?.usage;
    this.#message = {
      ...this.#message,
      ...(isObject(delta) ? delta : {}),
      ...more,
      usage: { ...(isObject(before) ? before : {}), ...(isObject(usage) ? withoutNulls(usage, before) : {}) },
    };
  }
}

/** Blocks that grow and mean nothing to a reader until they are whole. */
const GROWING = new Set<unknown>(['server_tool_use', 'mcp_tool_use', 'compaction']);

const FIELDS: { readonly [type: string]: { readonly from: string; readonly to?: keyof Delta } | undefined } = {
  text_delta: { from: 'text', to: 'text' },
  thinking_delta: { from: 'thinking', to: 'reasoning' },
  signature_delta: { from: 'signature', to: 'signature' },
  input_json_delta: { from: 'partial_json', to: 'arguments' },
};

const wholeInput = (input: unknown): string =>
  isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '';

/** A cumulative count that is not repeated does not undo the one from the start. */
function withoutNulls(usage: JsonObject, before: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).filter(([key, value]) => value !== null || !isObject(before) || before[key] === undefined),
  );
}

function close({ block, pieces, citations }: Growing): JsonObject {
  const grown = Object.entries(pieces).filter(([field]) => field !== 'partial_json');
  const texts = Object.fromEntries(grown.map(([field, all]) => [field, String(block[field] ?? '') + all.join('')]));
  const json = pieces.partial_json?.join('') ?? '';
  const cited = citations.length > 0 ? { citations } : {};
  return { ...block, ...texts, ...cited, ...(json !== '' && { input: parsed(json) }) };
}

/** Input that is no JSON was cut by a limit: it is kept as text, and never closed by guessing. */
function parsed(json: string): Json {
  try {
    return JSON.parse(json);
  } catch {
    return { _raw: json };
  }
}
