// One item of a streamed response, from its beginning to its end.
import type { Delta } from '../../conversation/delta.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { readAnnotation } from './read-content.ts';
import { BETWEEN, readItem } from './read-item.ts';

type Field = 'text' | 'refusal' | 'content' | 'summary' | 'arguments' | 'input';

const TOLD: { readonly [F in Field]: keyof Delta } = {
  text: 'text',
  refusal: 'refusal',
  content: 'reasoning',
  summary: 'reasoning',
  arguments: 'arguments',
  input: 'input',
};

/** The pieces of one text: of a content part, a piece of a summary, the arguments of a call. */
interface Growing {
  readonly field: Field;
  readonly pieces: string[];
  length: number;
}

/** Deltas of an item have the index of its part: items are this far apart, so that the parts of a message keep their order. */
const APART = 1000;

export class GrowingItem {
  readonly #at: number;
  #item: JsonObject = {};
  #started = false;
  #done = false;
  /** Whether a part was told whole, or its pieces are being told. */
  #told = false;
  #reasoning: { readonly field: Field; readonly index: number } | undefined;
  readonly #texts = new Map<string, Growing>();

  constructor(index: number) {
    this.#at = index * APART;
  }

  /** A function's name comes with its beginning, so that it can be told before its arguments. */
  start(item: JsonObject): Delta[] {
    if (this.#started) return [];
    this.#started = true;
    this.#item = item;
    const { type, call_id, name } = item;
    if (type !== 'function_call' && type !== 'custom_tool_call') return [];
    this.#told = true;
    const field = type === 'function_call' ? 'arguments' : 'input';
    const begun = item[field];
    if (typeof begun === 'string') this.#text(field, {}).length = begun.length;
    if (typeof begun === 'string') this.#text(field, {}).pieces.push(begun);
    return [{ type: 'delta', index: this.#at, id: String(call_id), name: String(name), [field]: String(begun ?? '') }];
  }

  grow(field: Field, event: JsonObject): Delta[] {
    return typeof event.delta === 'string' ? this.#add(field, event, event.delta) : [];
  }

  /** What `.done` says beyond the pieces: some servers send no pieces at all. One that says something else is not made to fit. */
  complete(field: Field, event: JsonObject, whole: unknown): Delta[] {
    const growing = this.#text(field, event);
    if (typeof whole !== 'string' || whole.length <= growing.length) return [];
    const before = growing.pieces.join('');
    growing.pieces.splice(0, growing.pieces.length, before);
    return whole.startsWith(before) ? this.#add(field, event, whole.slice(before.length)) : [];
  }

  annotate(event: JsonObject): Delta[] {
    if (!isObject(event.annotation)) return [];
    return [{ type: 'delta', index: this.#index('text', event), citation: readAnnotation(event.annotation) }];
  }

  /** The item as the API sends it whole. What was not told yet is told now. */
  finish(item: JsonObject): Delta[] {
    const before = this.#done;
    this.#done = true;
    this.#item = item;
    if (before) return [];
    if (item.type === 'message') return this.#finishMessage(item);
    if (item.type === 'reasoning') return this.#finishReasoning(item);
    if (item.type === 'function_call' || item.type === 'custom_tool_call') return this.#finishCall(item);
    const { part } = readItem(item);
    if (this.#told || (part.type === 'tool_call' && part.by === 'provider')) return [];
    this.#told = true;
    return [{ type: 'delta', index: this.#at, part }];
  }

  #finishCall(item: JsonObject): Delta[] {
    const field = item.type === 'function_call' ? 'arguments' : 'input';
    const started = this.start({ ...item, [field]: '' });
    return [...started, ...this.complete(field, {}, item[field])];
  }

  #finishMessage({ content }: JsonObject): Delta[] {
    const parts = Array.isArray(content) ? content : [];
    return parts.flatMap((part, index) => {
      if (!isObject(part)) return [];
      const field = part.type === 'refusal' ? 'refusal' : 'text';
      const event = { content_index: index };
      const told = this.complete(field, event, part[field]);
      // A text without any characters is a part too.
      const empty = part[field] === '' && told.length === 0 && !this.#texts.get(this.#key(field, event))?.length;
      return empty ? [{ type: 'delta' as const, index: this.#index(field, event), [field]: '' }] : told;
    });
  }

  #finishReasoning(item: JsonObject): Delta[] {
    const { part } = readItem(item);
    if (part.type !== 'reasoning') return [];
    const field = Array.isArray(item.content) && item.content.length > 0 ? 'content' : 'summary';
    const list = Array.isArray(item[field]) ? (item[field] as JsonObject[]) : [];
    if (part.text === undefined) return [{ type: 'delta', index: this.#at, part }];
    return list.flatMap((piece, index) => this.complete(field, { [INDEX[field] ?? '']: index }, piece.text));
  }

  /** The item, put together from its pieces if it never came whole. */
  close(): JsonObject {
    if (this.#done) return this.#item;
    const texts = [...this.#texts.values()].map(({ field, pieces }) => ({ field, text: pieces.join('') }));
    const of = (wanted: Field) => texts.filter(({ field }) => field === wanted).map(({ text }) => text);
    const { type } = this.#item;
    if (type === 'function_call') return { ...this.#item, arguments: of('arguments').join('') };
    if (type === 'custom_tool_call') return { ...this.#item, input: of('input').join('') };
    if (type === 'reasoning') {
      const content = of('content').map((text) => ({ type: 'reasoning_text', text }));
      const summary = of('summary').map((text) => ({ type: 'summary_text', text }));
      return { ...this.#item, summary, ...(content.length > 0 && { content }) };
    }
    const content = texts.map(({ field, text }) =>
      field === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] },
    );
    return type === 'message' || type === undefined
      ? { type: 'message', role: 'assistant', ...this.#item, content }
      : this.#item;
  }

  #add(field: Field, event: JsonObject, piece: string): Delta[] {
    const growing = this.#text(field, event);
    growing.pieces.push(piece);
    growing.length += piece.length;
    if (piece === '') return [];
    const before = this.#between(field, event);
    return before === undefined
      ? []
      : [{ type: 'delta', index: this.#index(field, event), [TOLD[field]]: before + piece }];
  }

  /** What stands before a piece of reasoning; undefined if it is not told, since another spelling of it is. */
  #between(field: Field, event: JsonObject): string | undefined {
    if (field !== 'content' && field !== 'summary') return '';
    const index = Number(event[INDEX[field] ?? ''] ?? 0);
    const last = this.#reasoning;
    if (last && last.field !== field) return undefined;
    this.#reasoning = { field, index };
    return last && last.index !== index ? BETWEEN : '';
  }

  #text(field: Field, event: JsonObject): Growing {
    const key = this.#key(field, event);
    const found = this.#texts.get(key) ?? { field, pieces: [], length: 0 };
    this.#texts.set(key, found);
    return found;
  }

  #key(field: Field, event: JsonObject): string {
    return `${field} ${event[INDEX[field] ?? ''] ?? 0}`;
  }

  #index(field: Field, event: JsonObject): number {
    return field === 'text' || field === 'refusal' ? this.#at + Number(event.content_index ?? 0) : this.#at;
  }
}

/** The field of an event that says which piece of a text grows. */
const INDEX: { readonly [F in Field]?: string } = {
  text: 'content_index',
  refusal: 'content_index',
  content: 'content_index',
  summary: 'summary_index',
};
