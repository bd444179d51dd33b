// A completion as the chunks that the API would have sent: https://platform.openai.com/docs/api-reference/chat-streaming
import type { Delta } from '../../conversation/delta.ts';
import type { Lose, Message } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import type { Known, StreamEvent, StreamWriter } from '../codec/stream.ts';
import { inPieces } from '../codec/whole-part-deltas.ts';
import { writeReply } from './reply.ts';

const DONE: StreamEvent = { data: '[DONE]' };

/** A whole completion: what its message says in one chunk for each field and call, the reason, then the usage. */
export function writeStream(message: Message, lose: Lose): StreamEvent[] {
  const { choices, usage, _meta, ...top } = writeReply(message, lose);
  const shell = shellOf(top);
  const told = (choices as JsonObject[]).flatMap((choice, i) => writeChoice(choice, Number(choice.index ?? i), shell));
  return [...told, ...usageOf(usage, shell), DONE];
}

const shellOf = (top: JsonObject): JsonObject => ({ ...top, object: 'chat.completion.chunk' });

const chunk = (shell: JsonObject, index: number, delta: JsonObject, more: JsonObject = {}): StreamEvent => ({
  data: { ...shell, choices: [{ index, delta, ...more, finish_reason: more.finish_reason ?? null }] },
});

const usageOf = (usage: Json | undefined, shell: JsonObject): StreamEvent[] =>
  isObject(usage) ? [{ data: { ...shell, choices: [], usage } }] : [];

function writeChoice(choice: JsonObject, index: number, shell: JsonObject): StreamEvent[] {
  const { message, finish_reason, index: _i, ...more } = choice;
  const { role: _, content, tool_calls, ...rest } = message as JsonObject;
  const texts = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  const calls = Array.isArray(tool_calls) ? (tool_calls as JsonObject[]) : [];
  const first = chunk(shell, index, { role: 'assistant', content: typeof content === 'string' ? '' : null });
  return [
    first,
    ...texts.map(([field, value]) => chunk(shell, index, { [field]: value })),
    ...(content === '' || content === null || content === undefined ? [] : [chunk(shell, index, { content }, more)]),
    ...calls.flatMap((call, at) => writeCall(call, at).map((delta) => chunk(shell, index, delta))),
    chunk(shell, index, {}, { finish_reason: finish_reason ?? null }),
  ];
}

/** The name first, then the arguments. */
function writeCall(call: JsonObject, at: number): JsonObject[] {
  const field = isObject(call.custom) && call.type === 'custom' ? 'custom' : 'function';
  const text = field === 'custom' ? 'input' : 'arguments';
  const { [text]: whole, ...named } = (call[field] ?? {}) as JsonObject;
  const begun = { tool_calls: [{ index: at, ...call, [field]: { ...named, [text]: '' } }] };
  if (whole === '' || whole === undefined) return [begun];
  return [begun, { tool_calls: [{ index: at, [field]: { [text]: whole } }] }];
}

/** Writes a foreign reply while it comes. Calls have numbers here, so that they need not wait for one another. */
export class OpenAIWriter implements StreamWriter {
  readonly #known: Known;
  readonly #calls = new Map<number, { at: number; field: 'function' | 'custom'; empty: boolean }>();
  #shell: JsonObject | undefined;

  constructor(known: Known) {
    this.#known = known;
  }

  push(delta: Delta): StreamEvent[] {
    const started = this.#start();
    const told = this.#tell(inPieces(delta));
    return told === undefined ? started : [...started, chunk(this.#shell ?? {}, 0, told)];
  }

  end(message: Message): StreamEvent[] {
    const started = this.#start();
    const shell = this.#shell ?? {};
    const { choices, usage } = writeReply(message, () => {});
    const [choice] = choices as JsonObject[];
    const finish = chunk(shell, 0, {}, { finish_reason: choice?.finish_reason ?? null });
    // A call without arguments has an empty object of them.
    const none = [...this.#calls.values()].filter(({ empty }) => empty);
    const empty = none.map(({ at }) => chunk(shell, 0, { tool_calls: [{ index: at, function: { arguments: '{}' } }] }));
    return [...started, ...empty, finish, ...usageOf(usage, shell), DONE];
  }

  fail(why: string): StreamEvent[] {
    return [{ data: { error: { message: why, type: 'server_error', param: null, code: null } } }];
  }

  #start(): StreamEvent[] {
    if (this.#shell) return [];
    const { id, by, at } = this.#known;
    const { choices: _, ...top } = writeReply({ role: 'assistant', parts: [], id, by, at }, () => {});
    this.#shell = shellOf(top);
    return [chunk(this.#shell, 0, { role: 'assistant', content: '' })];
  }

  #tell(delta: Delta): JsonObject | undefined {
    if (delta.id !== undefined || delta.name !== undefined) return this.#begin(delta);
    if (delta.arguments !== undefined || delta.input !== undefined) return this.#grow(delta);
    if (delta.text !== undefined) return { content: delta.text };
    if (delta.refusal !== undefined) return { refusal: delta.refusal };
    return delta.reasoning === undefined ? undefined : { reasoning_content: delta.reasoning };
  }

  #begin({ index, id, name, arguments: json, input }: Delta): JsonObject {
    const field = input === undefined ? ('function' as const) : ('custom' as const);
    const call = { at: this.#calls.size, field, empty: !json && field === 'function' };
    this.#calls.set(index, call);
    const text = call.field === 'custom' ? { input: input ?? '' } : { arguments: json ?? '' };
    return { tool_calls: [{ index: call.at, id, type: call.field, [call.field]: { name, ...text } }] };
  }

  #grow({ index, arguments: json, input }: Delta): JsonObject | undefined {
    const call = this.#calls.get(index);
    if (call === undefined) return undefined;
    if (json) call.empty = false;
    const text = call.field === 'custom' ? { input: input ?? '' } : { arguments: json ?? '' };
    return { tool_calls: [{ index: call.at, [call.field]: text }] };
  }
}
