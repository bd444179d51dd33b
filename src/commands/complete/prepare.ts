// What flags add to a conversation before it is sent: parameters, a system prompt, a schema, attachments.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Head, MediaPart, Message, Part, Reasoning, TextPart, ToolChoice } from '../../lib/conversation/types.ts';
import { type Conversation, headOf, type Item, messageOf } from '../../lib/conversion/gather.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { record } from '../../lib/json/record.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import type { CompleteOptions } from './options.ts';

export interface Preparation {
  readonly head: Head;
  readonly system: string | undefined;
  readonly attached: readonly (MediaPart | TextPart)[];
}

/** What the options say, read once. Throws a Failure for a file that cannot be read. */
export async function preparation(options: CompleteOptions, cwd: string): Promise<Preparation | undefined> {
  const schema = options.schema === undefined ? undefined : readSchema(resolve(cwd, options.schema));
  const head: Head = {
    ...(options['max-tokens'] !== undefined && { maxTokens: options['max-tokens'] }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options['top-p'] !== undefined && { topP: options['top-p'] }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.stop.length > 0 && { stop: options.stop }),
    ...reasoningOf(options),
    ...(options['tool-choice'] !== undefined && { toolChoice: choiceOf(options['tool-choice']) }),
    ...(schema && { responseFormat: { type: 'schema', name: 'answer', schema } }),
  };
  const system = options.system?.startsWith('@') ? readFile(resolve(cwd, options.system.slice(1))) : options.system;
  const attached =
    options.attach.length > 0 ? await (await import('./attach.ts')).attachments(options.attach, cwd) : [];
  if (Object.keys(head).length === 0 && system === undefined && attached.length === 0) return undefined;
  return { head, system, attached };
}

function reasoningOf({ effort, thinking }: CompleteOptions): { readonly reasoning?: Reasoning } {
  if (effort === undefined && thinking === undefined) return {};
  if (effort === 'off' || (effort === undefined && thinking === 0)) return { reasoning: { mode: 'off' } };
  return { reasoning: { mode: 'on', ...(effort !== undefined && { effort }), ...(thinking && { budget: thinking }) } };
}

function choiceOf(which: string): ToolChoice {
  if (which === 'auto' || which === 'none' || which === 'required') return { mode: which };
  return { mode: 'required', names: [which] };
}

function readSchema(path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readFile(path));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (error) {
    if (error instanceof Failure) throw error;
  }
  throw new Failure(EXIT.config, 'cannot read the schema: it is not a JSON object', { place: path });
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure(EXIT.io, missing ? 'cannot read the file: no such file' : 'cannot read the file', {
      place: path,
    });
  }
}

/** The conversation with what the flags say. They go before what the head says, and before its own system prompt. */
export function prepared(conversation: Conversation, wanted: Preparation | undefined): Conversation {
  if (wanted === undefined) return conversation;
  const attached = wanted.attached.length > 0 ? withAttached(conversation, wanted.attached) : conversation;
  if (Object.keys(wanted.head).length === 0 && wanted.system === undefined) return attached;
  return withHead(attached, wanted);
}

function withHead(conversation: Conversation, { head: flags, system }: Preparation): Conversation {
  const { format } = conversation;
  const before = headOf(conversation);
  const own = system === undefined ? before.messages : [textMessage('system', system)];
  const { native, rest } = format.writeHead({ ...before.head, ...flags }, own, () => {});
  const items = system === undefined ? conversation.items : withoutLeadingSystem(conversation.items);
  const written = rest.length > 0 ? format.writeMessages(rest, () => {}) : [];
  const has = conversation.head !== undefined || Object.keys(native).length > 0;
  return {
    ...conversation,
    ...(has && {
      head: { rec: record(native, conversation.head?.rec), identity: { format, kind: 'head', sure: false } },
    }),
    items: [...written.map((value) => item(value, format)), ...items],
  };
}

function withoutLeadingSystem(items: readonly Item[]): readonly Item[] {
  const first = items.findIndex((one) => {
    const role = messageOf(one)?.role;
    return role !== undefined && role !== 'system' && role !== 'developer';
  });
  return items.filter((one, at) => (first >= 0 && at >= first) || messageOf(one) === undefined);
}

/** Attachments go before the words of the last message, if it is the user's; else they are a message of their own. */
function withAttached(conversation: Conversation, attached: readonly (MediaPart | TextPart)[]): Conversation {
  const { format, items } = conversation;
  const at = items.findLastIndex((one) => messageOf(one) !== undefined);
  const last = items[at];
  const message = last && messageOf(last);
  const settled = { ...conversation, decided: true };
  if (last === undefined || message?.role !== 'user' || message.parts.some(({ type }) => type === 'tool_result'))
    return { ...settled, items: [...items, ...written(format, { role: 'user', parts: attached })] };
  const parts: Part[] = [...attached, ...message.parts];
  const { form: _, ...plain } = message;
  const changed = written(format, { ...plain, parts });
  return { ...settled, items: [...items.slice(0, at), ...changed, ...items.slice(at + 1)] };
}

const written = (format: Format, message: Message): Item[] =>
  format.writeMessages([message], () => {}).map((value) => item(value, format));

const item = (value: JsonObject, format: Format): Item => ({
  rec: record(value),
  identity: { format, kind: 'message', sure: false },
});

export const textMessage = (role: Message['role'], text: string): Message => ({
  role,
  parts: [{ type: 'text', text }],
});

/** A conversation that goes on with these messages. */
export const continued = (conversation: Conversation, messages: readonly Message[]): Conversation => ({
  ...conversation,
  items: [...conversation.items, ...messages.flatMap((message) => written(conversation.format, message))],
});
