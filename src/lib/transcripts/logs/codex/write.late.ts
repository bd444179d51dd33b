// A conversation as a session log that Codex opens. Save it as ~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl: `codex resume <id>`.

import type {
  Lose,
  MediaPart,
  Message,
  Part,
  ReasoningPart,
  Source,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from '../../../conversation/types.ts';
import { writeArguments } from '../../../dialects/codec/arguments.ts';
import { documentText } from '../../../dialects/codec/document-text.ts';
import { own } from '../../../dialects/codec/residual.ts';
import { OPENAI } from '../../../dialects/openai/name.ts';
import type { Fresh, Transcript } from '../../../dialects/types.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { CallNames } from '../../call-ids.ts';
import { Clock, iso, lineMeta, NO_MODEL, sessionId } from '../../log-writing.ts';
import { CODEX, RESPONSES } from './name.ts';

/** Text, and nothing else. */
const isTextual = (source: Source): boolean =>
  source.type === 'text' || (source.type === 'parts' && source.parts.every(({ type }) => type === 'text'));

/** The longest id and name that the API takes. */
const LONGEST = 64;

export function write(transcript: Transcript, fresh: Fresh, lose: Lose): JsonObject[] {
  const writer = new Writer(transcript, fresh, lose);
  const [first] = transcript.messages;
  const rest = first?.form?.[CODEX] === 'base_instructions' ? transcript.messages.slice(1) : transcript.messages;
  for (const message of rest) writer.message(message);
  return writer.lines;
}

class Writer {
  readonly lines: JsonObject[] = [];
  readonly #lose: Lose;
  readonly #clock: Clock;
  readonly #names = new CallNames(LONGEST);
  /** The calls whose input is free text: their results are items of another kind. */
  readonly #custom = new Set<string>();
  #total: JsonObject = {};
  #after: Message['role'] | undefined;

  constructor(transcript: Transcript, fresh: Fresh, lose: Lose) {
    this.#lose = lose;
    this.#clock = new Clock(fresh);
    const { messages, cwd = '/', parent, title, head } = transcript;
    const [first] = messages;
    const time = first ? this.#clock.at(first) : this.#clock.next();
    const id = sessionId(transcript, fresh);
    const about = { cwd, originator: 'ai-coreutils', cli_version: VERSION, source: 'cli', model_provider: 'openai' };
    const base =
      first?.form?.[CODEX] === 'base_instructions' ? { base_instructions: { text: textIn(first.parts) } } : undefined;
    const from = parent === undefined ? undefined : { forked_from_id: parent };
    this.#line('session_meta', { id, timestamp: iso(time), ...about, ...from, ...base }, time);
    const settings = { approval_policy: 'on-request', sandbox_policy: { type: 'read-only' }, summary: 'auto' };
    this.#line('turn_context', { cwd, ...settings, model: head.model ?? NO_MODEL }, time);
    if (title !== undefined) this.#event({ type: 'thread_name_updated', thread_id: id, thread_name: title }, time);
  }

  message(message: Message): void {
    if (message.role === 'assistant') this.#reply(message);
    else this.#heard(message);
    this.#after = message.role;
  }

  #heard(message: Message): void {
    const time = this.#clock.at(message);
    const results = message.parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
    const others = message.parts.filter((part) => part.type !== 'tool_result');
    for (const result of results) this.#result(result, time);
    const content = others.flatMap((part) => this.#content(part, 'input_text'));
    if (content.length === 0) return;
    if (message.name !== undefined) this.#lose('name', 'messages have no name');
    const role = message.role === 'tool' ? 'user' : message.role;
    // What was typed is shown from the event; the item is what the model gets.
    if (role === 'user')
      this.#event({ type: 'user_message', message: textIn(others), images: imagesIn(content) }, time);
    this.#item({ type: 'message', role, content }, time, lineMeta(message));
  }

  #result(result: ToolResultPart, time: number): void {
    const call_id = this.#names.result(result.callId);
    const type = this.#custom.has(call_id) ? 'custom_tool_call_output' : 'function_call_output';
    const content = result.parts.flatMap((part) => this.#content(part, 'input_text'));
    const [only] = content;
    const text =
      content.length === 0 ? '' : content.length === 1 && only?.type === 'input_text' ? only.text : undefined;
    this.#item({ type, call_id, output: text ?? content }, time, result.error ? { error: true } : undefined);
  }

  /** The items of a reply. Where two replies stand side by side, the first line of the second says so. */
  #reply(message: Message): void {
    const time = this.#clock.at(message);
    const apart = this.#after === 'assistant' ? {} : undefined;
    let mark = lineMeta(message, 'usage') ?? apart;
    const add = (item: JsonObject) => {
      this.#item(item, time, mark);
      mark = undefined;
    };
    let texts: JsonObject[] = [];
    const say = () => {
      if (texts.length === 0) return;
      this.#event({ type: 'agent_message', message: texts.map(({ text }) => text).join('') }, time);
      add({ type: 'message', role: 'assistant', content: texts });
      texts = [];
    };
    for (const part of message.parts) {
      const isSaid = part.type === 'text' || part.type === 'refusal' || part.type === 'media';
      if (isSaid) texts.push(...this.#content(part, 'output_text'));
      else say();
      if (part.type === 'reasoning') this.#reasoning(part, message, time, add);
      if (part.type === 'tool_call') for (const item of this.#call(part)) add(item);
      if (part.type === 'native') this.#lose('part', 'only the provider that created it can read it');
      if (part.type === 'tool_result')
        this.#lose('provider tool result', 'only the provider that created it can read it');
    }
    say();
    if (message.usage) this.#count(message.usage, time);
  }

  /** The API takes reasoning back only with the text that it enciphered itself. Other reasoning is shown to the person. */
  #reasoning(part: ReasoningPart, message: Message, time: number, add: (item: JsonObject) => void): void {
    const { encrypted_content } = own(part.ext, RESPONSES) ?? {};
    const ownMaking = message.by?.api === undefined || message.by.api === RESPONSES;
    const summary = part.text === undefined ? [] : [{ type: 'summary_text', text: part.text }];
    if (encrypted_content !== undefined && ownMaking) {
      add({ type: 'reasoning', summary, encrypted_content });
      return;
    }
    if (part.signature !== undefined || part.redacted !== undefined)
      this.#lose('reasoning signature', 'only the provider that created it can read it');
    if (part.text === undefined) return;
    const line = { ...this.#stamp(time), type: 'event_msg', payload: { type: 'agent_reasoning', text: part.text } };
    this.lines.push({ ...line, _meta: {} });
  }

  #call(part: ToolCallPart): JsonObject[] {
    if (part.by === 'provider') {
      const native = own(part.ext, RESPONSES);
      if (native === undefined) this.#lose('provider tool call', 'only the provider that ran it can read it');
      return native === undefined ? [] : [native];
    }
    const call_id = this.#names.call(part.id);
    const name = this.#names.tool(part.name);
    const namespace = own(part.ext, RESPONSES)?.namespace;
    if (part.custom) {
      this.#custom.add(call_id);
      return [{ type: 'custom_tool_call', status: 'completed', call_id, name, input: part.text ?? '' }];
    }
    const input = writeArguments(part, OPENAI);
    const spelled = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    return [
      { type: 'function_call', name, ...(namespace !== undefined && { namespace }), arguments: spelled, call_id },
    ];
  }

  #content(part: Part, text: 'input_text' | 'output_text'): JsonObject[] {
    if (part.type === 'text' || part.type === 'refusal') return [{ type: text, text: part.text }];
    if (part.type === 'media') return this.#media(part, text);
    this.#lose(part.type === 'native' ? 'part' : part.type, 'only the provider that created it can read it');
    return [];
  }

  /** Codex knows texts and images. */
  #media(part: MediaPart, text: 'input_text' | 'output_text'): JsonObject[] {
    const { kind, source, detail } = part;
    if (kind === 'image' && (source.type === 'data' || source.type === 'url')) {
      const image_url = source.type === 'url' ? source.url : `data:${source.mime ?? 'image/png'};base64,${source.data}`;
      return [{ type: 'input_image', image_url, ...(detail !== undefined && { detail }) }];
    }
    const written = isTextual(source) ? documentText(part, this.#lose) : undefined;
    if (written !== undefined) return [{ type: text, text: written }];
    if (source.type === 'parts') {
      if (part.name !== undefined) this.#lose('document: name', 'text and images have none');
      return source.parts.flatMap((inner) => this.#content(inner, text));
    }
    this.#lose(kind, 'Codex supports only text and images');
    return [];
  }

  #count({ input, cacheRead, cacheWrite, output, reasoning }: Usage, time: number): void {
    const last = {
      input_tokens: (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
      cached_input_tokens: cacheRead ?? 0,
      output_tokens: output ?? 0,
      reasoning_output_tokens: reasoning ?? 0,
    };
    const counted: JsonObject = { ...last, total_tokens: last.input_tokens + last.output_tokens };
    this.#total = Object.fromEntries(
      Object.entries(counted).map(([key, n]) => [key, Number(n) + Number(this.#total[key] ?? 0)]),
    );
    const info = { total_token_usage: this.#total, last_token_usage: counted, model_context_window: null };
    this.#event({ type: 'token_count', info, rate_limits: null }, time);
  }

  #item(payload: JsonObject, time: number, meta: JsonObject | undefined): void {
    this.lines.push({ ...this.#stamp(time), type: 'response_item', payload, ...(meta && { _meta: meta }) });
  }

  #event(payload: JsonObject, time: number): void {
    this.#line('event_msg', payload, time);
  }

  #line(type: string, payload: JsonObject, time: number): void {
    this.lines.push({ ...this.#stamp(time), type, payload });
  }

  #stamp(time: number): { timestamp: string } {
    return { timestamp: iso(time) };
  }
}

/** The version whose lines these are. */
const VERSION = '0.98.0';

const textIn = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

function imagesIn(content: readonly JsonObject[]): Json[] {
  return content.flatMap((part) => (isObject(part) && typeof part.image_url === 'string' ? [part.image_url] : []));
}
