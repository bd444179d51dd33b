// The events of a streamed reply: https://platform.openai.com/docs/api-reference/responses-streaming
import type { Delta } from '../../conversation/delta.ts';
import type { Message } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type JsonObject } from '../../json/values.ts';
import { type Known, type StreamReader, UnfinishedStream, UpstreamError } from '../codec/stream.ts';
import { GrowingItem } from './growing-item.ts';
import { RESPONSES } from './name.ts';
import { readReply } from './reply.ts';
import type { EventType } from './types.ts';

/** Builds the response as the API would have sent it whole, and tells each piece as it comes. */
export class ResponsesStream implements StreamReader {
  #response: JsonObject | undefined;
  #finished = false;
  readonly #items = new Map<number, GrowingItem>();

  get known(): Known {
    const { id, model, created_at } = this.#response ?? {};
    return {
      ...(typeof id === 'string' && { id }),
      ...(typeof model === 'string' && { by: { api: RESPONSES, model } }),
      ...(typeof created_at === 'number' && { at: created_at * 1000 }),
    };
  }

  get done(): boolean {
    return this.#finished;
  }

  isNext(event: JsonObject): boolean {
    return event.type === 'response.created' && this.#response !== undefined;
  }

  push(event: JsonObject): Delta[] {
    if (event.type === undefined && isObject(event.error)) throw new UpstreamError(event);
    const handler = HANDLERS.get(event.type as string);
    return handler?.(this, event) ?? [];
  }

  /** The final response where it came with its output; some servers send it without, and mean what they sent before. */
  end(): Message {
    if (!this.#finished || this.#response === undefined) throw new UnfinishedStream('response.completed');
    const { output } = this.#response;
    const whole = Array.isArray(output) && output.length >= this.#items.size;
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item.close());
    return readReply(whole ? this.#response : { ...this.#response, output: items });
  }

  about(event: JsonObject): Delta[] {
    this.#response = { ...this.#response, ...asObject<JsonObject>(event.response, 'response') };
    return [];
  }

  finish(event: JsonObject): Delta[] {
    const { response } = event;
    // Some servers send only what is new.
    if (isObject(response) && response.model !== undefined) this.#response = response;
    else this.about(event);
    this.#finished = true;
    const output = Array.isArray(event.response) ? [] : asArray((event.response as JsonObject).output ?? [], 'output');
    return output.flatMap((item, index) => (isObject(item) ? this.#item(index).finish(item) : []));
  }

  item(event: JsonObject): GrowingItem {
    return this.#item(Number(event.output_index ?? 0));
  }

  #item(index: number): GrowingItem {
    const found = this.#items.get(index) ?? new GrowingItem(index);
    this.#items.set(index, found);
    return found;
  }
}

type Handler = (stream: ResponsesStream, event: JsonObject) => Delta[];

const about: Handler = (stream, event) => stream.about(event);
const finish: Handler = (stream, event) => stream.finish(event);
const added: Handler = (stream, event) => stream.item(event).start(asObject<JsonObject>(event.item, 'item'));
const done: Handler = (stream, event) => stream.item(event).finish(asObject<JsonObject>(event.item, 'item'));

function fail(event: JsonObject): never {
  throw new UpstreamError(event);
}

function failed(event: JsonObject): never {
  const response = isObject(event.response) ? event.response : {};
  throw new UpstreamError(isObject(response.error) ? { error: response.error } : { message: 'the response failed' });
}

const piece =
  (field: 'text' | 'refusal' | 'content' | 'summary' | 'arguments' | 'input'): Handler =>
  (stream, event) =>
    stream.item(event).grow(field, event);

const rest =
  (field: 'text' | 'refusal' | 'content' | 'summary' | 'arguments' | 'input', from: string): Handler =>
  (stream, event) =>
    stream.item(event).complete(field, event, event[from]);

/** null: progress of a tool that the provider runs, or what the end of the item says again. */
const table: { readonly [T in EventType]: Handler | null } = {
  'response.created': about,
  'response.queued': about,
  'response.in_progress': about,
  'response.completed': finish,
  'response.incomplete': finish,
  'response.failed': (_, event) => failed(event),
  error: (_, event) => fail(event),
  'response.output_item.added': added,
  'response.output_item.done': done,
  'response.output_text.delta': piece('text'),
  'response.output_text.done': rest('text', 'text'),
  'response.output_text.annotation.added': (stream, event) => stream.item(event).annotate(event),
  'response.refusal.delta': piece('refusal'),
  'response.refusal.done': rest('refusal', 'refusal'),
  'response.reasoning_text.delta': piece('content'),
  'response.reasoning_text.done': rest('content', 'text'),
  'response.reasoning_summary_text.delta': piece('summary'),
  'response.reasoning_summary_text.done': rest('summary', 'text'),
  'response.function_call_arguments.delta': piece('arguments'),
  'response.function_call_arguments.done': rest('arguments', 'arguments'),
  'response.custom_tool_call_input.delta': piece('input'),
  'response.custom_tool_call_input.done': rest('input', 'input'),
  'response.content_part.added': null,
  'response.content_part.done': null,
  'response.reasoning_summary_part.added': null,
  'response.reasoning_summary_part.done': null,
  'response.audio.delta': null,
  'response.audio.done': null,
  'response.audio.transcript.delta': null,
  'response.audio.transcript.done': null,
  'response.code_interpreter_call.in_progress': null,
  'response.code_interpreter_call.interpreting': null,
  'response.code_interpreter_call.completed': null,
  'response.code_interpreter_call_code.delta': null,
  'response.code_interpreter_call_code.done': null,
  'response.compaction.compacting': null,
  'response.file_search_call.in_progress': null,
  'response.file_search_call.searching': null,
  'response.file_search_call.completed': null,
  'response.image_generation_call.in_progress': null,
  'response.image_generation_call.generating': null,
  'response.image_generation_call.partial_image': null,
  'response.image_generation_call.completed': null,
  'response.mcp_call.in_progress': null,
  'response.mcp_call.completed': null,
  'response.mcp_call.failed': null,
  'response.mcp_call_arguments.delta': null,
  'response.mcp_call_arguments.done': null,
  'response.mcp_list_tools.in_progress': null,
  'response.mcp_list_tools.completed': null,
  'response.mcp_list_tools.failed': null,
  'response.shell_call_command.added': null,
  'response.shell_call_command.delta': null,
  'response.shell_call_command.done': null,
  'response.shell_call_output_content.delta': null,
  'response.shell_call_output_content.done': null,
  'response.web_search_call.in_progress': null,
  'response.web_search_call.searching': null,
  'response.web_search_call.completed': null,
};
const HANDLERS = new Map(Object.entries(table).filter(([, handler]) => handler !== null));
