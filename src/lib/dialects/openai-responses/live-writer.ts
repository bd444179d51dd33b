// A foreign reply as the events of a response, while it comes.
import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { Serial } from '../codec/serial-parts.ts';
import type { Known, StreamEvent, StreamWriter } from '../codec/stream.ts';
import { inPieces } from '../codec/whole-part-deltas.ts';
import { newIds, writeShell } from './reply.ts';
import type { NewId } from './write-item.ts';
import { begin, emptied, finish, Numbered } from './write-stream.ts';

type Kind = 'message' | 'reasoning' | 'function_call' | 'custom_tool_call';

/** The item that grows, and the part of it that does. */
interface Open {
  readonly kind: Kind;
  readonly item: JsonObject;
  readonly parts: JsonObject[];
  index: number;
  part?: 'output_text' | 'refusal';
  pieces: string[];
}

export class ResponsesWriter implements StreamWriter {
  readonly #known: Known;
  readonly #serial = new Serial();
  readonly #numbered = new Numbered();
  readonly #newId: NewId;
  readonly #output: JsonObject[] = [];
  #started = false;
  #open: Open | undefined;

  constructor(known: Known) {
    this.#known = known;
    this.#newId = newIds(known.id);
  }

  push(delta: Delta): StreamEvent[] {
    return [...this.#start(), ...this.#serial.push(inPieces(delta)).flatMap((piece) => this.#tell(piece))];
  }

  /** The items of the whole are those that were told. */
  end(message: Message): StreamEvent[] {
    const told = [...this.#start(), ...this.#serial.end().flatMap((piece) => this.#tell(piece)), ...this.#closeItem()];
    const response = { ...writeShell({ ...message, meta: undefined }), output: this.#output };
    return [...told, finish(response, this.#numbered)];
  }

  fail(why: string): StreamEvent[] {
    return [this.#numbered.event('error', { code: 'server_error', message: why, param: null })];
  }

  #start(): StreamEvent[] {
    if (this.#started) return [];
    this.#started = true;
    return begin(writeShell({ role: 'assistant', parts: [], ...this.#known, usage: undefined }), this.#numbered);
  }

  #tell(delta: Delta): StreamEvent[] {
    const kind = this.#kindOf(delta);
    if (kind === undefined) return [];
    const same = this.#open?.kind === kind && (kind === 'message' || this.#open.index === delta.index);
    const opened = same ? [] : [...this.#closeItem(), ...this.#openItem(delta, kind)];
    return [...opened, ...this.#grow(delta)];
  }

  #kindOf(delta: Delta): Kind | undefined {
    const open = this.#open;
    if (open?.index === delta.index && (open.kind === 'function_call' || open.kind === 'custom_tool_call'))
      return open.kind;
    if (delta.id !== undefined || delta.name !== undefined)
      return delta.input === undefined ? 'function_call' : 'custom_tool_call';
    if (delta.text !== undefined || delta.refusal !== undefined) return 'message';
    return delta.reasoning === undefined ? undefined : 'reasoning';
  }

  #openItem({ index, id, name }: Delta, kind: Kind): StreamEvent[] {
    const called = { call_id: id, name };
    const item: JsonObject = {
      message: () => ({ id: this.#newId('msg'), type: kind, status: 'completed', role: 'assistant' }),
      reasoning: () => ({ id: this.#newId('rs'), type: kind }),
      function_call: () => ({ id: this.#newId('fc'), type: kind, status: 'completed', ...called }),
      custom_tool_call: () => ({ id: this.#newId('ctc'), type: kind, status: 'completed', ...called }),
    }[kind]();
    this.#open = { kind, item, parts: [], index, pieces: [] };
    const added = this.#event('response.output_item.added', { item: emptied(item) }, false);
    if (kind !== 'reasoning') return [added];
    const part = { type: 'summary_text', text: '' };
    return [added, this.#event('response.reasoning_summary_part.added', { summary_index: 0, part })];
  }

  #event(type: string, fields: JsonObject, named = true): StreamEvent {
    const at = { ...(named && { item_id: this.#open?.item.id }), output_index: this.#output.length };
    return this.#numbered.event(type, { ...at, ...fields });
  }

  #grow(delta: Delta): StreamEvent[] {
    const open = this.#open as Open;
    if (open.kind === 'message') return this.#growMessage(delta, open);
    const piece = delta.arguments ?? delta.input ?? delta.reasoning ?? '';
    if (piece === '') return [];
    open.pieces.push(piece);
    const more = open.kind === 'reasoning' ? { summary_index: 0 } : {};
    return [this.#event(`${GROWS[open.kind]}.delta`, { ...more, delta: piece })];
  }

  #growMessage(delta: Delta, open: Open): StreamEvent[] {
    const part = delta.refusal === undefined ? 'output_text' : 'refusal';
    const same = open.part === part && open.index === delta.index;
    const begun = same ? [] : [...this.#closePart(open), this.#openPart(open, part, delta.index)];
    const piece = delta.refusal ?? delta.text ?? '';
    if (piece === '') return begun;
    open.pieces.push(piece);
    const content_index = open.parts.length;
    if (part === 'refusal') return [...begun, this.#event('response.refusal.delta', { content_index, delta: piece })];
    return [...begun, this.#event('response.output_text.delta', { content_index, delta: piece, logprobs: [] })];
  }

  #openPart(open: Open, part: 'output_text' | 'refusal', index: number): StreamEvent {
    open.part = part;
    open.index = index;
    open.pieces = [];
    return this.#event('response.content_part.added', { content_index: open.parts.length, part: partOf(part, '') });
  }

  #closePart(open: Open): StreamEvent[] {
    if (open.part === undefined) return [];
    const text = open.pieces.join('');
    const content_index = open.parts.length;
    const part = partOf(open.part, text);
    const done =
      open.part === 'refusal'
        ? this.#event('response.refusal.done', { content_index, refusal: text })
        : this.#event('response.output_text.done', { content_index, text, logprobs: [] });
    const events = [done, this.#event('response.content_part.done', { content_index, part })];
    open.parts.push(part);
    open.part = undefined;
    return events;
  }

  #closeItem(): StreamEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    const closing = open.kind === 'message' ? this.#closePart(open) : this.#closeText(open);
    const item = { ...open.item, ...contentOf(open) };
    const done = this.#event('response.output_item.done', { item }, false);
    this.#output.push(item);
    this.#open = undefined;
    return [...closing, done];
  }

  #closeText(open: Open): StreamEvent[] {
    const { kind, item } = open;
    // A call without arguments has an empty object of them.
    const none = kind === 'function_call' && open.pieces.length === 0;
    const told = none ? this.#grow({ type: 'delta', index: open.index, arguments: '{}' }) : [];
    const text = open.pieces.join('');
    if (kind === 'function_call')
      return [...told, this.#event(`${GROWS[kind]}.done`, { name: item.name, arguments: text })];
    if (kind === 'custom_tool_call') return [this.#event(`${GROWS[kind]}.done`, { input: text })];
    return [
      this.#event(`${GROWS.reasoning}.done`, { summary_index: 0, text }),
      this.#event('response.reasoning_summary_part.done', { summary_index: 0, part: { type: 'summary_text', text } }),
    ];
  }
}

const GROWS = {
  message: 'response.output_text',
  reasoning: 'response.reasoning_summary_text',
  function_call: 'response.function_call_arguments',
  custom_tool_call: 'response.custom_tool_call_input',
} as const;

const partOf = (type: 'output_text' | 'refusal', text: string): JsonObject =>
  type === 'refusal' ? { type, refusal: text } : { type, annotations: [], text };

function contentOf({ kind, parts, pieces }: Open): JsonObject {
  const text = pieces.join('');
  if (kind === 'message') return { content: parts };
  if (kind === 'reasoning') return { summary: [{ type: 'summary_text', text }] };
  return kind === 'function_call' ? { arguments: text } : { input: text };
}
