// A reply as the events that the API would have sent: https://platform.claude.com/docs/en/build-with-claude/streaming
import type { Delta } from '../../ir/delta.ts';
import { isObject, type Json, type JsonObject } from '../../ir/json.ts';
import type { Lose, Message } from '../../ir/types.ts';
import { inPieces } from '../pieces.ts';
import { Serial } from '../serial.ts';
import type { Known, StreamEvent, StreamWriter } from '../stream.ts';
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

interface Open {
  readonly index: number;
  readonly at: number;
  readonly kind: 'text' | 'thinking' | 'tool_use' | 'custom';
}

/** Writes a foreign reply while it comes. Reasoning of others is not signed here: it is not told. */
export class AnthropicWriter implements StreamWriter {
  readonly #known: Known;
  readonly #serial = new Serial();
  #started = false;
  #blocks = 0;
  #open: Open | undefined;

  constructor(known: Known) {
    this.#known = known;
  }

  push(delta: Delta): StreamEvent[] {
    return [...this.#start(), ...this.#serial.push(inPieces(delta)).flatMap((piece) => this.#tell(piece))];
  }

  end(message: Message): StreamEvent[] {
    const { content: _, stop_reason, stop_sequence, usage } = writeReply({ ...message, parts: [] }, () => {});
    const rest = this.#serial.end().flatMap((piece) => this.#tell(piece));
    return [...this.#start(), ...rest, ...this.#close(), ...finish({ stop_reason, stop_sequence }, usage)];
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

  #tell(delta: Delta): StreamEvent[] {
    const kind = this.#kindOf(delta);
    if (kind === undefined) return [];
    const same = this.#open?.index === delta.index && this.#open.kind === kind;
    const opened = same ? [] : [...this.#close(), this.#begin(delta, kind)];
    const { at } = this.#open as Open;
    return [...opened, ...this.#grow(delta, at, kind)];
  }

  /** undefined: nothing that this API can be told piece by piece. */
  #kindOf(delta: Delta): Open['kind'] | undefined {
    if (this.#open?.index === delta.index && (this.#open.kind === 'tool_use' || this.#open.kind === 'custom'))
      return this.#open.kind;
    if (delta.id !== undefined || delta.name !== undefined) return delta.input === undefined ? 'tool_use' : 'custom';
    return delta.text !== undefined || delta.refusal !== undefined ? 'text' : undefined;
  }

  #begin({ index, id, name }: Delta, kind: Open['kind']): StreamEvent {
    this.#open = { index, at: this.#blocks++, kind };
    const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'tool_use', id, name, input: {} };
    return begin(this.#open.at, block);
  }

  /** Free text goes under the key that a custom tool's schema gets here. */
  #grow(delta: Delta, at: number, kind: Open['kind']): StreamEvent[] {
    if (kind === 'text') return pieces(at, 'text_delta', 'text', delta.text ?? delta.refusal);
    if (kind === 'tool_use') return pieces(at, 'input_json_delta', 'partial_json', delta.arguments);
    const text = JSON.stringify(delta.input ?? '').slice(1, -1);
    return pieces(at, 'input_json_delta', 'partial_json', delta.id === undefined ? text : `{"input":"${text}`);
  }

  #close(): StreamEvent[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return [];
    const ending = open.kind === 'custom' ? pieces(open.at, 'input_json_delta', 'partial_json', '"}') : [];
    return [...ending, stop(open.at)];
  }
}

const pieces = (at: number, type: string, field: string, piece: string | undefined): StreamEvent[] =>
  piece === undefined || piece === '' ? [] : [grow(at, type, field, piece)];
