// Turns of a dataset: who speaks, and a text. A call is its JSON as the text; calls have no ids.

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import { parseArguments } from '../../conversation/parse-arguments.ts';
import type {
  Lose,
  Message,
  Part,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../conversation/types.ts';
import { asString, equal, isObject, type Json, type JsonObject, ShapeError } from '../../json/values.ts';
import { lacksId, withoutId } from '../codec/call-ids.ts';
import { nameOf } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { SHAREGPT } from './name.ts';
import { type Speaker, speakerOf, TAGS } from './tags.ts';

const ROLES: { readonly [speaker in Speaker]: Role } = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  call: 'assistant',
  result: 'tool',
};

export function readMessage(native: JsonObject): Message {
  const spelled = native.from === undefined && native.role !== undefined ? 'role' : 'from';
  const { [spelled]: tag, [spelled === 'from' ? 'value' : 'content']: value, _meta, ...rest } = native;
  const speaker = speakerOf(tag);
  if (speaker === undefined) throw new ShapeError(spelled, 'human, gpt, system, function_call or observation', tag);
  const text = asString(value, spelled === 'from' ? 'value' : 'content');
  const { role, parts } = readTurn(speaker, text);
  const known: Record<never, never> = rest;
  return { role, parts, form: { [SHAREGPT]: `${spelled} ${tag}` }, ext: residual(SHAREGPT, known), ...readMeta(_meta) };
}

/** The calls and results of this format have no ids. */
const form = withoutId(SHAREGPT);

function readTurn(speaker: Speaker, text: string): { role: Role; parts: Part[] } {
  const calls = speaker === 'call' ? readCalls(text) : undefined;
  if (calls) return { role: 'assistant', parts: calls };
  // What answers a call that is text itself stays text too.
  if (speaker === 'result' && text.trimStart().startsWith('<tool_response>'))
    return { role: 'user', parts: [{ type: 'text', text }] };
  if (speaker === 'result')
    return { role: 'tool', parts: [{ type: 'tool_result', callId: 'call_1', parts: [{ type: 'text', text }], form }] };
  return { role: ROLES[speaker], parts: speaker === 'assistant' ? readThoughts(text) : [{ type: 'text', text }] };
}

/** One call, or a list of them; undefined for text that is neither. */
function readCalls(text: string): Part[] | undefined {
  const parsed = parseArguments(text);
  if (!('input' in parsed) || text.trim() === '') return undefined;
  const list = Array.isArray(parsed.input) ? parsed.input : [parsed.input];
  const calls = list.map(readCall);
  return calls.length > 0 && calls.every((call) => call !== undefined)
    ? calls.map((call, i) => ({ ...call, id: `call_${i + 1}`, form: i === 0 ? { ...form, [SHAREGPT]: text } : form }))
    : undefined;
}

function readCall(native: Json): ToolCallPart | undefined {
  if (!isObject(native) || typeof native.name !== 'string') return undefined;
  const { name, arguments: given, ...rest } = native;
  if (Object.keys(rest).length > 0) return undefined;
  const input = typeof given === 'string' ? parseArguments(given) : { input: given ?? {} };
  return { type: 'tool_call', id: '', name, ...input };
}

/** Reasoning that stands before the answer. */
function readThoughts(text: string): Part[] {
  const end = text.startsWith(THINK) ? text.indexOf(THOUGHT) : -1;
  if (end < 0) return [{ type: 'text', text }];
  const behind = text.slice(end + THOUGHT.length);
  const gap = behind.startsWith('\n\n') ? 2 : behind.startsWith('\n') ? 1 : 0;
  const raw = text.slice(0, end + THOUGHT.length + gap);
  const reasoning: Part = { type: 'reasoning', text: thoughtIn(raw), form: { [SHAREGPT]: raw } };
  const answer = behind.slice(gap);
  return answer === '' ? [reasoning] : [reasoning, { type: 'text', text: answer }];
}

const [THINK, THOUGHT] = ['<think>', '</think>'];

/** The text between the tags. A zero-width space keeps a tag in it from ending it. */
function thoughtIn(raw: string): string {
  const inner = raw.slice(THINK.length, raw.lastIndexOf(THOUGHT));
  const start = inner.startsWith('\n') ? 1 : 0;
  const end = inner.endsWith('\n') && inner.length > start ? -1 : undefined;
  return inner.slice(start, end).replaceAll('<\u200b/think>', THOUGHT);
}

/** Calls have no ids: their results must follow in their order. */
export function joins(group: readonly Message[], next: Message): boolean {
  return next.role === 'tool' && group.some(({ parts }) => parts.some(({ type }) => type === 'tool_call'));
}

/** One message makes a turn for its text, one for its calls, and one for each result. */
export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  return inOrder(group).flatMap((message) => writeMessage(message, lose));
}

/** A reply is one turn: what makes others is said. */
export function writeReply(message: Message, lose: Lose): JsonObject {
  const [first, ...others] = writeMessages([message], lose);
  for (const _ of others) lose('tool_calls', 'a call is a turn of its own');
  const last = others.at(-1);
  return { ...(first ?? { from: 'gpt', value: '' }), ...(last?._meta !== undefined && { _meta: last._meta }) };
}

/** The messages with their results in the order of the calls. */
function inOrder(group: readonly Message[]): readonly Message[] {
  if (group.length < 3) return group;
  const places = new Map<string, number>();
  for (const part of group.flatMap(({ parts }) => parts))
    if (part.type === 'tool_call') places.set(part.id, places.size);
  const place = ({ parts }: Message) => {
    const [first] = parts;
    return first?.type === 'tool_result' ? (places.get(first.callId) ?? places.size) : -1;
  };
  return [...group].sort((a, b) => place(a) - place(b));
}

function writeMessage(message: Message, lose: Lose): JsonObject[] {
  const { parts, name } = message;
  if (name !== undefined) lose('name', 'turns have no name');
  const results = parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
  const calls = parts.filter((part): part is ToolCallPart => part.type === 'tool_call');
  const text = writeText(parts, lose);
  const speaker = message.role === 'assistant' ? 'assistant' : message.role === 'user' ? 'user' : 'system';
  const turns: [Speaker, string][] = results.flatMap((result) => writeResult(result, lose));
  if (text !== undefined) turns.push([message.role === 'tool' ? 'user' : speaker, text]);
  const written = writeCalls(calls, lose);
  if (written !== undefined) turns.push(['call', written]);
  if (turns.length === 0 && parts.length === 0) turns.push([speaker, '']);
  const meta = writeMeta([message]);
  return turns.map(([each, value], i) => turn(each, value, message, i === turns.length - 1 ? meta : undefined));
}

/** The tag that the turn had, as long as it still fits. */
function turn(speaker: Speaker, value: string, message: Message, meta: JsonObject | undefined): JsonObject {
  const [spelled, tag] = message.form?.[SHAREGPT]?.split(' ') ?? [];
  const was = speakerOf(tag);
  const isCall = was === 'call' && readCalls(value) !== undefined;
  const fits = was === speaker || (was !== undefined && !isCall && readTurn(was, value).role === ROLES[speaker]);
  const name = fits && tag !== undefined ? tag : TAGS[speaker];
  const said = spelled === 'role' ? { role: name, content: value } : { from: name, value };
  return { ...own(message.ext, SHAREGPT), ...said, ...meta };
}

function writeText(parts: readonly Part[], lose: Lose): string | undefined {
  const texts = parts
    .filter((part): part is TextPart => part.type === 'text' || part.type === 'refusal')
    .map(({ text }) => text);
  const thoughts = parts
    .filter((part): part is ReasoningPart => part.type === 'reasoning')
    .flatMap((part) => writeThought(part, lose));
  for (const part of parts) sayPart(part, lose);
  if (texts.length === 0 && thoughts.length === 0) return undefined;
  return `${thoughts.join('')}${texts.join('\n')}`;
}

/** What of a part has no place in a text. */
export function sayPart(part: Part, lose: Lose): void {
  if ('cache' in part && part.cache) lose('cache_control', 'training data has no breakpoints');
  if (part.type === 'media') lose(part.kind, 'turns are text');
  if (part.type === 'native') lose(nameOf(part.value), 'only its own API can use it');
  if (part.type === 'text') for (const _ of part.citations ?? []) lose('citations', 'a text has none');
}

function writeThought(part: ReasoningPart, lose: Lose): string[] {
  if (part.signature !== undefined || part.redacted !== undefined)
    lose('reasoning signature', 'only the provider that created it can read it');
  if (part.text === undefined) return [];
  const raw = part.form?.[SHAREGPT];
  if (raw !== undefined && thoughtIn(raw) === part.text) return [raw];
  return [`${THINK}\n${part.text.replaceAll(THOUGHT, '<\u200b/think>')}\n${THOUGHT}\n\n`];
}

function writeResult({ parts, error, by, callId }: ToolResultPart, lose: Lose): [Speaker, string][] {
  if (by === 'provider') {
    lose('provider tool result', 'only the provider that created it can read it');
    return [];
  }
  if (error) lose('is_error', 'results have no such field');
  sayId(callId, lose);
  return [['result', writeText(parts, lose) ?? '']];
}

/** Calls and their results are told apart by their order alone. */
function sayId(id: string, lose: Lose): void {
  if (id !== '') lose('tool call id', 'calls have none', 'renamed');
}

function writeCalls(calls: readonly ToolCallPart[], lose: Lose): string | undefined {
  const run = calls.filter(({ by }) => by !== 'provider');
  for (const { by } of calls)
    if (by === 'provider') lose('provider tool call', 'only the provider that ran it can read it');
  for (const call of run) if (!lacksId(call, SHAREGPT)) sayId(call.id, lose);
  const list = run.map(({ name, input, text }): JsonObject => ({ name, arguments: input ?? text ?? '' }));
  const [first] = list;
  if (first === undefined) return undefined;
  const raw = run[0]?.form?.[SHAREGPT];
  const before = raw === undefined ? undefined : readCalls(raw);
  const same = before?.length === run.length && before.every((call, i) => isSame(call, run[i]));
  return same && raw !== undefined ? raw : JSON.stringify(list.length === 1 ? first : list);
}

function isSame(a: Part, b: ToolCallPart | undefined): boolean {
  return a.type === 'tool_call' && a.name === b?.name && equal(a.input, b.input) && a.text === b.text;
}
