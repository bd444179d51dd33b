// Messages: text in one string, images beside it. https://docs.ollama.com/api/chat

import { readMeta } from '../../conversation/meta.ts';
import type { Form, Lose, Message, Part, ToolResultPart } from '../../conversation/types.ts';
import { asArray, asString, type JsonObject } from '../../json/values.ts';
import { readCalls, writeCalls } from '../chat/calls.ts';
import { readRole } from '../chat/roles.ts';
import { isResult, type TurnWriter, writeTurn } from '../chat/turns.ts';
import { inputOf, writeArguments } from '../codec/arguments.ts';
import { idByName, lacksId, withoutId } from '../codec/call-ids.ts';
import { sniff } from '../codec/media-signatures.ts';
import { ifNull, own, residual } from '../codec/residual.ts';
import { OLLAMA } from './name.ts';
import type { MessageFields } from './types.ts';
import { writeContent, writeThinking } from './write-content.ts';

export function readMessage(native: JsonObject): Message {
  const {
    role: spoken,
    content,
    thinking,
    images,
    tool_calls,
    tool_name,
    tool_call_id,
    _meta,
    ...rest
  } = native as MessageFields;
  const role = readRole(spoken);
  const parts = [...readThinking(thinking), ...readText(content), ...readImages(images)];
  const form = formOf(native);
  const kept = {
    thinking: typeof thinking === 'string' ? undefined : thinking,
    images: Array.isArray(images) && images.length > 0 ? undefined : images,
  };
  if (role === 'tool') {
    const result = readResult(parts, form, tool_call_id, tool_name);
    const nulls = { tool_name: ifNull(tool_name), tool_call_id: ifNull(tool_call_id) };
    const ext = residual(OLLAMA, rest, { ...kept, tool_calls, ...nulls });
    return { role, parts: [result], form, ext, ...readMeta(_meta) };
  }
  const calls = role === 'assistant' ? readCalls(tool_calls, OLLAMA) : [];
  const others = { ...kept, tool_name, tool_call_id, tool_calls: calls.length === 0 ? tool_calls : undefined };
  return { role, parts: [...parts, ...calls], form, ext: residual(OLLAMA, rest, others), ...readMeta(_meta) };
}

function readThinking(thinking: unknown): Part[] {
  return typeof thinking === 'string' ? [{ type: 'reasoning', text: thinking }] : [];
}

/** The server sends an empty string where there is no text. */
function readText(content: unknown): Part[] {
  if (content === undefined || content === null || content === '') return [];
  return [{ type: 'text', text: asString(content, 'content') }];
}

/** Bytes alone: what they are, they tell themselves. */
function readImages(images: unknown): Part[] {
  if (images === undefined || images === null) return [];
  return asArray<unknown>(images, 'images').map((image, i) => {
    const data = asString(image, `images[${i}]`);
    return { type: 'media', kind: 'image', source: { type: 'data', data, mime: sniff(data) } };
  });
}

/** `string`, `null` or `absent`, as the content is. */
function formOf({ content }: JsonObject): Form {
  return { [OLLAMA]: content === undefined ? 'absent' : content === null ? 'null' : 'string' };
}

/** Older servers know a result by the name of its tool alone. */
function readResult(parts: readonly Part[], form: Form, id: unknown, named: unknown): ToolResultPart {
  const name = named === undefined || named === null ? undefined : asString(named, 'tool_name');
  if (id === undefined || id === null) {
    const callId = idByName(name ?? '');
    return { type: 'tool_result', callId, name, parts, form: { ...form, ...withoutId(OLLAMA) } };
  }
  return { type: 'tool_result', callId: asString(id, 'tool_call_id'), name, parts, form };
}

const writer: TurnWriter = { format: OLLAMA, assistant: writeAssistant, result: writeResult, other: writeOther };

export function writeMessages(group: readonly Message[], lose: Lose): JsonObject[] {
  return writeTurn(group, writer, lose);
}

function writeAssistant(group: readonly Message[], parts: readonly Part[], lose: Lose): JsonObject {
  const form = group.length === 1 ? group[0]?.form?.[OLLAMA] : undefined;
  const calls = parts.filter((part) => part.type === 'tool_call').filter(({ by }) => by === undefined);
  const said = parts.filter((part) => part.type !== 'tool_call' && part.type !== 'reasoning' && !isResult(part));
  return {
    ...Object.assign({}, ...group.map((message) => own(message.ext, OLLAMA))),
    role: 'assistant',
    ...writeContent(said, form, lose),
    ...writeThinking(parts, lose),
    ...writeCalls(calls, OLLAMA, (call) => (isOwnText(call.form) ? writeArguments(call, OLLAMA) : inputOf(call, lose))),
  };
}

/** Arguments that came as no object, from a server that takes them so. */
const isOwnText = (form: Form | undefined): boolean => form?.[OLLAMA] !== undefined;

function writeResult(result: ToolResultPart, message: Message, lose: Lose): JsonObject {
  const form = result.form?.[OLLAMA];
  const name = result.name === undefined ? undefined : { tool_name: result.name };
  const id = lacksId(result, OLLAMA) ? undefined : { tool_call_id: result.callId };
  const content = writeContent(result.parts, form, lose);
  const thinking = form === undefined ? undefined : writeThinking(result.parts, lose);
  return { ...own(message.ext, OLLAMA), role: 'tool', ...content, ...thinking, ...name, ...id };
}

function writeOther(message: Message, parts: readonly Part[], lose: Lose): JsonObject {
  const said = parts.filter((part) => part.type !== 'reasoning');
  return {
    ...own(message.ext, OLLAMA),
    role: message.role,
    ...writeContent(said, message.form?.[OLLAMA], lose),
    ...writeThinking(parts, lose),
  };
}
