// Messages of the log: parts of the Gemini API, with the calls of a message and their results beside them.

import type { Lose, Message, Part, ToolResultPart, Usage } from '../../../conversation/types.ts';
import { timeMeta } from '../../../dialects/codec/timestamps.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { GEMINI } from './name.ts';

/** Reads the messages in order, since a result may stand behind another message than its call. */
export class MessageReader {
  readonly #lose: Lose;
  /** The calls that wait for their results: the name of each, and the ids of each name. */
  readonly #open = new Map<string, string>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #answered = new Set<string>();
  #nameless = 0;

  constructor(lose: Lose) {
    this.#lose = lose;
  }

  /** A message and the results that stand in it. Notices of the program itself say nothing. */
  read(native: JsonObject): Message[] {
    const { type, role, timestamp } = native;
    const meta = timeMeta(timestamp);
    const told = meta ? { meta } : {};
    const speaker = type ?? role;
    if (speaker === 'user') return this.#readUser(native, told);
    if (speaker === 'gemini' || speaker === 'model') return this.#readReply(native, told);
    return [];
  }

  #readUser(native: JsonObject, told: Partial<Message>): Message[] {
    const parts = this.#parts(native.content ?? native.parts);
    const results = parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
    const others = parts.filter((part) => part.type !== 'tool_result');
    return [
      ...results.map((part): Message => ({ role: 'tool', parts: [part], ...told })),
      ...(others.length > 0 ? [{ role: 'user' as const, parts: others, ...told }] : []),
    ];
  }

  #readReply(native: JsonObject, told: Partial<Message>): Message[] {
    const { content, parts: plain, thoughts, toolCalls, model, tokens } = native;
    const calls = (Array.isArray(toolCalls) ? toolCalls : []).filter(isObject);
    const known = new Set(calls.map(({ id }) => id));
    const spoken = this.#parts(content ?? plain).filter((part) => part.type !== 'tool_call' || !known.has(part.id));
    const made = calls.map((call) => this.#call(call));
    const parts: Part[] = [...readThoughts(thoughts), ...spoken, ...made.map(({ part }) => part)];
    const results = made.flatMap(({ results: each }) => each);
    const message: Message = {
      role: 'assistant',
      parts,
      ...(typeof model === 'string' && { by: { api: GEMINI, model } }),
      ...(isObject(tokens) && { usage: readTokens(tokens) }),
      ...told,
    };
    return [
      ...(parts.length > 0 ? [message] : []),
      ...results.map((part): Message => ({ role: 'tool', parts: [part], ...told })),
    ];
  }

  #call({ id: given, name, args, result, status }: JsonObject): { part: Part; results: ToolResultPart[] } {
    const id = typeof given === 'string' && given !== '' ? given : this.#fresh();
    const called = typeof name === 'string' ? name : 'tool';
    this.#wait(id, called);
    const failed = status === 'error' || status === 'cancelled';
    const parts = result === undefined || result === null ? [] : this.#parts(result, id);
    const results = parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
    const others = parts.filter((part) => part.type !== 'tool_result');
    // Images and texts beside the response belong to it.
    const [first, ...more] = results.length > 0 || others.length === 0 ? results : [this.#result(id, called, [])];
    const whole = first ? [{ ...first, parts: [...first.parts, ...others] }, ...more] : [];
    const marked = failed ? whole.map((each) => ({ ...each, error: true })) : whole;
    return { part: { type: 'tool_call', id, name: called, input: args ?? {} }, results: marked };
  }

  #wait(id: string, name: string): void {
    this.#open.set(id, name);
    const same = this.#byName.get(name);
    if (same) same.add(id);
    else this.#byName.set(name, new Set([id]));
  }

  #fresh(): string {
    this.#nameless += 1;
    return `call_${this.#nameless}`;
  }

  #result(callId: string, name: string, parts: readonly Part[]): ToolResultPart {
    this.#byName.get(this.#open.get(callId) ?? '')?.delete(callId);
    this.#open.delete(callId);
    this.#answered.add(callId);
    return { type: 'tool_result', callId, name, parts };
  }

  /** A string, a part, or a list of either. `within` is the call whose result this is. */
  #parts(content: Json | undefined, within?: string): Part[] {
    const list = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
    return list.flatMap((part) => this.#part(part, within));
  }

  #part(part: Json, within: string | undefined): Part[] {
    if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', text: part }];
    if (!isObject(part)) return [];
    const { text, thought, functionCall, functionResponse, inlineData, fileData } = part;
    if (typeof text === 'string') return text === '' ? [] : [{ type: thought === true ? 'reasoning' : 'text', text }];
    if (isObject(functionCall)) {
      const id = typeof functionCall.id === 'string' ? functionCall.id : this.#fresh();
      const name = String(functionCall.name ?? 'tool');
      this.#wait(id, name);
      return [{ type: 'tool_call', id, name, input: functionCall.args ?? {} }];
    }
    if (isObject(functionResponse)) return this.#response(functionResponse, within);
    if (isObject(inlineData) && typeof inlineData.data === 'string')
      return [media(inlineData, { data: inlineData.data })];
    if (isObject(fileData) && typeof fileData.fileUri === 'string') return [media(fileData, { url: fileData.fileUri })];
    this.#lose(Object.keys(part)[0] ?? 'part', 'only the provider that created it can read it');
    return [];
  }

  /** The result names its call, or stands in it, or is the oldest of that name that is still open. */
  #response({ id, name, response }: JsonObject, within: string | undefined): Part[] {
    const called = String(name ?? 'tool');
    const named = typeof id === 'string' && this.#open.has(id) ? id : undefined;
    const [oldest] = this.#byName.get(called) ?? [];
    const callId = named ?? within ?? oldest ?? (typeof id === 'string' ? id : '');
    if (this.#answered.has(callId)) return [];
    const { text, error } = readResponse(response);
    const result = this.#result(callId, called, text === '' ? [] : [{ type: 'text', text }]);
    return [error ? { ...result, error } : result];
  }
}

/** The API takes objects only: `{output}` and `{error}` hold a text. */
function readResponse(response: Json | undefined): { text: string; error?: true } {
  if (typeof response === 'string') return { text: response };
  if (!isObject(response)) return { text: response === undefined || response === null ? '' : JSON.stringify(response) };
  const [key, ...others] = Object.keys(response);
  const value = key === undefined ? undefined : response[key];
  if (others.length === 0 && typeof value === 'string' && (key === 'output' || key === 'error'))
    return { text: value, ...(key === 'error' && { error: true }) };
  return { text: JSON.stringify(response) };
}

function media({ mimeType }: JsonObject, where: { data: string } | { url: string }): Part {
  const mime = typeof mimeType === 'string' ? mimeType : undefined;
  const [family] = mime?.split('/') ?? [];
  const kind = family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
  const source = 'data' in where ? ({ type: 'data', ...where } as const) : ({ type: 'url', ...where } as const);
  return { type: 'media', kind, source: { ...source, ...(mime !== undefined && { mime }) } };
}

function readThoughts(thoughts: Json | undefined): Part[] {
  if (!Array.isArray(thoughts)) return [];
  const texts = thoughts
    .filter(isObject)
    .map(({ subject, description }) =>
      [subject, description].filter((each) => typeof each === 'string' && each !== '').join('\n\n'),
    );
  return texts.filter((text) => text !== '').map((text) => ({ type: 'reasoning', text }));
}

/** The prompt includes what was cached; thoughts are not among the output. */
function readTokens({ input, output, cached, thoughts }: JsonObject): Usage {
  const count = (value: Json | undefined) => (typeof value === 'number' ? value : undefined);
  const [prompt, read, thought, written] = [count(input), count(cached), count(thoughts), count(output)];
  return {
    input: prompt === undefined ? undefined : Math.max(0, prompt - (read ?? 0)),
    cacheRead: read,
    output: written === undefined ? undefined : written + (thought ?? 0),
    reasoning: thought,
  };
}
