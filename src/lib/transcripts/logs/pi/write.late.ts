// A conversation as a session log that pi opens. Save it under ~/.pi/agent/sessions/--<directory>--/: `pi --session FILE`.

import type {
  Lose,
  Message,
  Part,
  StopReason,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from '../../../conversation/types.ts';
import { nameOf } from '../../../dialects/codec/fields.ts';
import { own } from '../../../dialects/codec/residual.ts';
import type { Fresh, Transcript } from '../../../dialects/types.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { Clock, iso, keptSystem, lineMeta, NO_MODEL, partSystem, sessionId } from '../../log-writing.ts';
import { PI } from './name.ts';

const VERSION = 3;

export function write(transcript: Transcript, fresh: Fresh, lose: Lose): JsonObject[] {
  const { system, rest } = partSystem(transcript);
  const writer = new Writer({ ...transcript, messages: rest }, fresh, lose, keptSystem(system));
  for (const { role } of system) lose(role, 'pi has its own system prompt');
  for (const message of rest) writer.message(message);
  return writer.lines;
}

/** pi's names for our APIs, and the providers that it knows for them. */
const APIS: { readonly [api: string]: readonly [api: string, provider: string] } = {
  anthropic: ['anthropic-messages', 'anthropic'],
  openai: ['openai-completions', 'openai'],
  'openai-responses': ['openai-responses', 'openai'],
  bedrock: ['bedrock-converse-stream', 'amazon-bedrock'],
  gemini: ['google-generative-ai', 'google'],
};

const STOPS: { readonly [reason in StopReason]: string } = {
  stop: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'toolUse',
  length: 'length',
  context_window: 'length',
  content_filter: 'error',
  pause: 'stop',
  compaction: 'stop',
  error: 'error',
  other: 'stop',
};

class Writer {
  readonly lines: JsonObject[] = [];
  readonly #transcript: Transcript;
  readonly #fresh: Fresh;
  readonly #lose: Lose;
  readonly #clock: Clock;
  readonly #ids = new Set<string>();
  /** The names of the tools that were called, for results that do not say. */
  readonly #called = new Map<string, string>();
  #parent: string | null = null;

  constructor(transcript: Transcript, fresh: Fresh, lose: Lose, kept: JsonObject | undefined) {
    this.#transcript = transcript;
    this.#fresh = fresh;
    this.#lose = lose;
    this.#clock = new Clock(fresh);
    const { messages, cwd = '/', parent, title } = transcript;
    const [first] = messages;
    const time = first ? this.#clock.at(first) : this.#clock.next();
    const id = sessionId(transcript, fresh);
    const from = parent === undefined ? undefined : { parentSession: parent };
    this.lines.push({
      type: 'session',
      version: VERSION,
      id,
      timestamp: iso(time),
      cwd,
      ...from,
      ...(kept && { _meta: kept }),
    });
    const { model } = transcript.head;
    if (model !== undefined) {
      const { provider } = this.#maker(messages.findLast(({ by }) => by?.model === model));
      this.#entry('model_change', { provider, modelId: model }, time);
    }
    if (title !== undefined) this.#entry('session_info', { name: title }, time);
  }

  message(message: Message): void {
    const time = this.#clock.at(message);
    const { role } = message;
    if (role === 'system' || role === 'developer') this.#system(message, time);
    else if (role === 'assistant') this.#reply(message, time);
    else this.#heard(message, time);
  }

  #heard(message: Message, time: number): void {
    const results = message.parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
    for (const result of results) this.#result(result, time);
    const content = message.parts.filter((part) => part.type !== 'tool_result').flatMap((part) => this.#content(part));
    if (message.name !== undefined) this.#lose('name', 'messages have no name');
    if (content.length > 0) this.#message({ role: 'user', content, timestamp: time }, time, lineMeta(message));
  }

  /** A system message in the middle of a conversation is told as an extension would. */
  #system(message: Message, time: number): void {
    const { role } = message;
    const content = message.parts.flatMap((part) => this.#content(part));
    this.#entry('custom_message', { customType: role, content, display: true, details: { role } }, time);
  }

  #reply(message: Message, time: number): void {
    const content = message.parts.flatMap((part) => this.#spokenPart(part));
    if (content.length === 0) return;
    const { id, by, stop, usage } = message;
    const calls = content.some(({ type }) => type === 'toolCall');
    const stopReason = stop?.raw === 'aborted' ? 'aborted' : stop ? STOPS[stop.reason] : calls ? 'toolUse' : 'stop';
    const native = {
      role: 'assistant',
      content,
      ...this.#maker(message),
      usage: writeUsage(usage),
      stopReason,
      timestamp: time,
      ...(id !== undefined && { responseId: id }),
    };
    const known = by?.provider !== undefined && by.model !== undefined && APIS[by.api ?? ''] !== undefined;
    const said: (keyof Message)[] = ['id', 'usage'];
    if (known || by === undefined) said.push('by');
    if (stop === undefined || stop.raw === stopReason) said.push('stop');
    this.#message(native, time, lineMeta(message, ...said));
  }

  /** Who made a reply: pi wants all three, and treats what another model thought as such. */
  #maker(message: Message | undefined): { api: string; provider: string; model: string } {
    const [api, provider] = APIS[message?.by?.api ?? ''] ?? ['openai-completions', 'openai'];
    return {
      api,
      provider: message?.by?.provider ?? provider,
      model: message?.by?.model ?? this.#transcript.head.model ?? NO_MODEL,
    };
  }

  #spokenPart(part: Part): JsonObject[] {
    if (part.type === 'tool_call') return this.#call(part);
    if (part.type !== 'reasoning') return this.#content(part);
    if (part.redacted !== undefined) this.#lose('redacted reasoning', 'pi keeps only readable reasoning');
    const { text, signature } = part;
    if (text === undefined && signature === undefined) return [];
    return [
      { type: 'thinking', thinking: text ?? '', ...(signature !== undefined && { thinkingSignature: signature }) },
    ];
  }

  #call(part: ToolCallPart): JsonObject[] {
    if (part.by === 'provider') {
      this.#lose('provider tool call', 'only the provider that ran it can read it');
      return [];
    }
    this.#called.set(part.id, part.name);
    const { thoughtSignature } = own(part.ext, PI) ?? {};
    const input: Json = part.input ?? (part.custom ? { input: part.text ?? '' } : { _raw: part.text ?? '' });
    if (part.input === undefined && !part.custom) this.#lose('arguments', 'they are not JSON: kept as {"_raw": …}');
    return [
      {
        type: 'toolCall',
        id: part.id,
        name: part.name,
        arguments: isObject(input) ? input : { value: input },
        ...(thoughtSignature !== undefined && { thoughtSignature }),
      },
    ];
  }

  #result(result: ToolResultPart, time: number): void {
    if (result.by === 'provider') {
      this.#lose('provider tool result', 'only the provider that created it can read it');
      return;
    }
    const toolName = result.name ?? this.#called.get(result.callId) ?? 'tool';
    const content = result.parts.flatMap((part) => this.#content(part));
    const isError = result.error === true;
    this.#message(
      { role: 'toolResult', toolCallId: result.callId, toolName, content, isError, timestamp: time },
      time,
      undefined,
    );
  }

  /** pi knows texts and images. */
  #content(part: Part): JsonObject[] {
    if (part.type === 'text' || part.type === 'refusal') return [{ type: 'text', text: part.text }];
    if (part.type === 'media') {
      const { kind, source, name, detail } = part;
      if (name !== undefined) this.#lose(`${kind}: name`, 'files have none');
      if (detail !== undefined) this.#lose('detail', 'images have one resolution');
      if (kind === 'image' && source.type === 'data')
        return [{ type: 'image', data: source.data, mimeType: source.mime ?? 'image/png' }];
      if (source.type === 'text') return [{ type: 'text', text: source.text }];
      if (source.type === 'parts') return source.parts.flatMap((inner) => this.#content(inner));
      this.#lose(kind, 'pi supports only text, and images with their bytes');
      return [];
    }
    this.#lose(
      part.type === 'native' ? nameOf(part.value) : part.type,
      'only the provider that created it can read it',
    );
    return [];
  }

  #message(message: JsonObject, time: number, meta: JsonObject | undefined): void {
    this.#entry('message', { message, ...(meta && { _meta: meta }) }, time);
  }

  #entry(type: string, fields: JsonObject, time: number): void {
    const id = this.#id();
    this.lines.push({ type, id, parentId: this.#parent, timestamp: iso(time), ...fields });
    this.#parent = id;
  }

  /** Eight digits that no other entry has. */
  #id(): string {
    let id = this.#fresh.uuid().slice(0, 8);
    for (let n = this.#ids.size; this.#ids.has(id); n++) id = (n % 0x100000000).toString(16).padStart(8, '0');
    this.#ids.add(id);
    return id;
  }
}

/** pi counts every reply, and what it cost. */
function writeUsage(usage: Usage | undefined): JsonObject {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost };
}
