// A reply as the events that the API would have sent: https://platform.claude.com/docs/en/build-with-claude/streaming
import type { Delta } from '../../conversation/delta.ts';
import type { Lose, Message, Part } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { type Begun, type Teller, Telling, type Told } from '../codec/part-writer.ts';
import type { Known, StreamEvent, StreamWriter } from '../codec/stream.ts';
import { writeReply } from './reply.ts';

const event = (type: string, fields: JsonObject): StreamEvent => ({ event: type, data: { type, ...fields } });

/** A whole reply: each block after the other, the usage of the prompt at the beginning, that of the answer at the end. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const reply = writeReply(message, lose);
  const { content, usage, stop_reason, stop_sequence, stop_details, container, context_management, _meta, ...rest } =
    reply;
  const ended = { stop_details, container, context_management };
  const delta = Object.fromEntries(Object.entries(ended).filter(([, value]) => value !== undefined)) as JsonObject;
  const blocks = (content as JsonObject[]).flatMap((block, index) => writeBlock(block, index));
  return [start(rest, usage), ...blocks, ...finish({ stop_reason, stop_sequence, ...delta }, usage)];
}

/** The counts of the answer come at the end: until then there are none. A client counts on these two. */
function start(message: JsonObject, usage: Json | undefined): StreamEvent {
  const counts = { input_tokens: 0, ...(isObject(usage) ? usage : {}), output_tokens: 0 };
  const { output_tokens_details: _, ...prompt } = counts as JsonObject;
  const open = {
    id: 'msg_0',
    model: 'unknown',
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: prompt,
  };
  return event('message_start', { message: open });
}

function finish(delta: JsonObject, usage: Json | undefined): StreamEvent[] {
  const counts = { output_tokens: 0, ...(isObject(usage) ? usage : {}) };
  return [event('message_delta', { delta, usage: counts }), event('message_stop', {})];
}

const stop = (index: number): StreamEvent => event('content_block_stop', { index });
const begin = (index: number, block: JsonObject): StreamEvent =>
  event('content_block_start', { index, content_block: block });
const grow = (index: number, type: string, field: string, piece: Json): StreamEvent =>
  event('content_block_delta', { index, delta: { type, [field]: piece } });

/** A block begins empty and grows; one that the API never cuts comes with its beginning. */
function writeBlock(block: JsonObject, index: number): StreamEvent[] {
  const { type } = block;
  if (type === 'text') return writeText(block, index);
  if (type === 'thinking') return writeThinking(block, index);
  if (type === 'compaction' && 'content' in block) {
    const { content, ...rest } = block;
    return [
      begin(index, { ...rest, content: null }),
      grow(index, 'compaction_delta', 'content', content ?? null),
      stop(index),
    ];
  }
  if (isObject(block.input)) {
    const json = JSON.stringify(block.input);
    const pieces = json === '{}' ? [] : [grow(index, 'input_json_delta', 'partial_json', json)];
    return [begin(index, { ...block, input: {} }), ...pieces, stop(index)];
  }
  return [begin(index, block), stop(index)];
}

function writeText({ text, citations, ...rest }: JsonObject, index: number): StreamEvent[] {
  const list = Array.isArray(citations) ? citations : [];
  const open = { ...rest, text: '', ...(citations !== undefined && { citations: list.length > 0 ? [] : citations }) };
  const cited = list.map((citation) => grow(index, 'citations_delta', 'citation', citation));
  const pieces = text === '' ? [] : [grow(index, 'text_delta', 'text', text ?? '')];
  return [begin(index, open), ...cited, ...pieces, stop(index)];
}

function writeThinking({ thinking, signature, ...rest }: JsonObject, index: number): StreamEvent[] {
  const pieces = thinking === '' ? [] : [grow(index, 'thinking_delta', 'thinking', thinking ?? '')];
  const signed = signature === undefined ? [] : [grow(index, 'signature_delta', 'signature', signature)];
  const open = { ...rest, thinking: '', ...(signature !== undefined && { signature: '' }) };
  return [begin(index, open), ...pieces, ...signed, stop(index)];
}

/** Writes a foreign reply while it comes. */
export class AnthropicWriter implements StreamWriter {
  readonly #known: Known;
  readonly #telling = new Telling(new Blocks());
  #started = false;

  constructor(known: Known) {
    this.#known = known;
  }

  push(delta: Delta): StreamEvent[] {
    return [...this.#start(), ...this.#telling.push(delta)];
  }

  end(message: Message): StreamEvent[] {
    const { content: _, stop_reason, stop_sequence, usage } = writeReply({ ...message, parts: [] }, () => {});
    return [...this.#start(), ...this.#telling.end(), ...finish({ stop_reason, stop_sequence }, usage)];
  }

  fail(why: string): StreamEvent[] {
    return [event('error', { error: { type: 'api_error', message: why } })];
  }

  #start(): StreamEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const { id, by, usage } = this.#known;
    const {
      content: _,
      usage: counts,
      ...shell
    } = writeReply({ role: 'assistant', parts: [], id, by, usage }, () => {});
    return [start(shell, counts)];
  }
}

class Blocks implements Teller {
  #next = 0;

  /** A thought waits for its signature: without one the API would refuse it later. */
  begin({ kind, id, name }: Begun): StreamEvent[] {
    if (kind === 'reasoning') return [];
    const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'tool_use', id, name, input: {} };
    return [begin(this.#next++, block as JsonObject)];
  }

  grow(piece: string, { kind }: Begun): StreamEvent[] {
    const at = this.#next - 1;
    if (kind === 'reasoning') return [];
    return [
      kind === 'text' ? grow(at, 'text_delta', 'text', piece) : grow(at, 'input_json_delta', 'partial_json', piece),
    ];
  }

  end({ kind, text, signature }: Told): StreamEvent[] {
    if (kind !== 'reasoning') return [stop(this.#next - 1)];
    return signature === undefined ? [] : writeThinking({ type: 'thinking', thinking: text, signature }, this.#next++);
  }

  whole(part: Part): StreamEvent[] {
    const { content } = writeReply({ role: 'assistant', parts: [part] }, () => {});
    return (content as JsonObject[]).flatMap((block) => writeBlock(block, this.#next++));
  }
}
