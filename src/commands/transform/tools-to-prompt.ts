// --tools-to-prompt: tools, calls and results as text, for models that have no tools of their own.

import type {
  Head,
  Lose,
  Message,
  Part,
  TextPart,
  Tool,
  ToolCallPart,
  ToolResultPart,
} from '../../lib/conversation/types.ts';
import type { Adaptation, Read } from '../../lib/conversion/adaptation.ts';
import { definition, type ToolPrompt, toolPrompt } from '../../lib/grammars/tool-prompt.late.ts';
import type { Written } from '../../lib/grammars/types.ts';
import { isObject } from '../../lib/json/values.ts';

/** The adaptation. `format` is '' if the model decides. Throws a Failure (64) for a format that cannot be written. */
export function toolsToPrompt(format: string, model: string | undefined): () => Adaptation {
  const given = format === '' ? undefined : format;
  if (given !== undefined) toolPrompt(given, undefined);
  return () => new ToolsToPrompt(given, model);
}

class ToolsToPrompt implements Adaptation {
  /** The system message may have to be made. */
  readonly leads = true;
  readonly #format: string | undefined;
  #model: string | undefined;
  #written: ToolPrompt | undefined;
  #tools: readonly Tool[] = [];
  /** What the system message has yet to say. */
  #instructions = '';
  /** Results that wait for others, or for what the user says. */
  #held: Read | undefined;
  readonly #names = new Map<string, string>();

  constructor(format: string | undefined, model: string | undefined) {
    this.#format = format;
    this.#model = model;
  }

  get #prompt(): ToolPrompt {
    this.#written ??= toolPrompt(this.#format, this.#model);
    return this.#written;
  }

  head(head: Head, lose: Lose): Head {
    this.#model ??= head.model;
    const { tools, toolChoice, parallelToolCalls, ...rest } = head;
    if (tools === undefined && toolChoice === undefined && parallelToolCalls === undefined) return head;
    for (const { type, name } of tools ?? [])
      if (type === 'provider') lose(`tools: ${name}`, 'its provider runs it: text cannot call it');
    this.#tools = (tools ?? []).filter(({ type }) => type !== 'provider');
    if (this.#tools.length === 0) return rest;
    const { stop, format } = this.#prompt;
    if (toolChoice?.mode !== 'none')
      this.#instructions = this.#prompt.instructions(this.#tools, {
        choice: toolChoice,
        parallel: parallelToolCalls !== false,
      });
    const stops = [...new Set([...(head.stop ?? []), ...stop])];
    const kept = { format, tools: this.#tools.map(definition) };
    return { ...rest, ...(stops.length > 0 && { stop: stops }), meta: { ...head.meta, tools_in_prompt: kept } };
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    const { role } = read.message;
    if (role === 'system' || role === 'developer') return [...this.#release(), this.#instructed(read)];
    const before = this.#lead(read);
    if (role === 'assistant') return [...before, ...this.#release(), this.#assistant(read, lose)];
    const results = read.message.parts.some((part) => part.type === 'tool_result');
    if (!results && this.#held === undefined) return before.length > 0 ? [...before, read] : read;
    this.#hold(results ? { ...read, message: this.#user(read.message, lose) } : read);
    return before;
  }

  end(): readonly Read[] {
    return [...this.#lead({ from: '', message: { role: 'user', parts: [] }, recs: [] }), ...this.#release()];
  }

  /** The instructions as a message of their own, where no system message came first. */
  #lead({ from }: Read): Read[] {
    if (this.#instructions === '') return [];
    const message: Message = { role: 'system', parts: [{ type: 'text', text: this.#instructions }] };
    this.#instructions = '';
    return [{ message, from, recs: [] }];
  }

  #instructed(read: Read): Read {
    if (this.#instructions === '') return read;
    const parts: Part[] = [...read.message.parts, { type: 'text', text: this.#instructions }];
    this.#instructions = '';
    return { ...read, message: { ...read.message, parts: joined(parts, '\n\n') } };
  }

  #hold(read: Read): void {
    const { message, recs } = this.#held ?? read;
    if (this.#held === undefined) this.#held = read;
    else {
      const parts = joined([...message.parts, ...read.message.parts], '\n');
      this.#held = { ...this.#held, message: { ...message, parts }, recs: [...recs, ...read.recs] };
    }
  }

  #release(): Read[] {
    const held = this.#held;
    this.#held = undefined;
    return held ? [held] : [];
  }

  #assistant(read: Read, lose: Lose): Read {
    const { message } = read;
    const parts: Part[] = [];
    let calls: Written[] = [];
    const write = () => {
      if (calls.length > 0) parts.push({ type: 'text', text: this.#prompt.calls(calls, this.#tools) });
      calls = [];
    };
    for (const part of message.parts) {
      if (part.type === 'tool_call' && part.by === undefined) calls.push(this.#call(part, lose));
      else {
        write();
        parts.push(part);
      }
    }
    write();
    if (parts.every((part, i) => part === message.parts[i]) && parts.length === message.parts.length) return read;
    const stop = message.stop?.reason === 'tool_calls' ? { stop: { reason: 'stop' as const } } : {};
    return { ...read, message: { ...message, ...stop, parts: joined(parts, '\n') } };
  }

  #call({ id, name, input, text }: ToolCallPart, lose: Lose): Written {
    this.#names.set(id, name);
    if (isObject(input)) return { id, name, input };
    if (text === undefined && input === undefined) return { id, name, input: {} };
    if (text !== undefined) lose('arguments', 'they are not JSON: written as the text of "input"', 'changed');
    return { id, name, input: { input: text ?? input ?? null } };
  }

  /** Results as text, and the rest of the message behind them. */
  #user(message: Message, lose: Lose): Message {
    const parts = message.parts.flatMap((part): readonly Part[] =>
      part.type === 'tool_result' && part.by === undefined ? this.#result(part, lose) : [part],
    );
    return { role: 'user', parts: joined(parts, '\n'), ...(message.meta && { meta: message.meta }) };
  }

  #result({ callId, name, parts, error }: ToolResultPart, lose: Lose): Part[] {
    const texts = parts.filter((part): part is TextPart => part.type === 'text').map(({ text }) => text);
    if (error) lose('is_error', 'written in words: text has no field for it', 'changed');
    const text = error ? `Error: ${texts.join('\n')}` : texts.join('\n');
    const called = name ?? this.#names.get(callId) ?? 'tool';
    const written: Part = { type: 'text', text: this.#prompt.result({ name: called, id: callId, text }) };
    return [written, ...parts.filter((part) => part.type !== 'text')];
  }
}

/** Texts that stand beside each other as one, if nothing but their text is to be kept. */
function joined(parts: readonly Part[], between: string): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.type === 'text' && part.type === 'text' && isPlain(last) && isPlain(part))
      out[out.length - 1] = { type: 'text', text: `${last.text}${between}${part.text}` };
    else out.push(part);
  }
  return out;
}

const isPlain = ({ cache, ext, citations }: TextPart): boolean => !cache && !ext && !citations?.length;
