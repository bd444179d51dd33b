// Messages: https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages

import { readMeta } from '../../conversation/meta.ts';
import type { Citation, Message, Part, Role, ToolCallPart } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject, ShapeError } from '../../json/values.ts';
import { readArguments } from '../codec/arguments.ts';
import { lookup } from '../codec/fields.ts';
import { ifNull, residual } from '../codec/residual.ts';
import { OPENAI } from './name.ts';
import { readContent } from './read-parts.ts';
import { readUsual } from './read-usual.ts';
import type {
  AnnotationFields,
  CallFields,
  CustomFields,
  FunctionFields,
  MessageFields,
  UrlCitationFields,
} from './types.ts';

const ROLES: { readonly [role: string]: Role } = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

export function readMessage(native: JsonObject): Message {
  const role = lookup(ROLES, native.role);
  if (role === undefined)
    throw new ShapeError('role', 'system, developer, user, assistant, tool or function', native.role);
  const usual = readUsual(native, role);
  if (usual) return usual;
  if (role === 'assistant') return readAssistant(native);
  if (role === 'tool') return readToolMessage(native);
  const { role: _, content, name, _meta, ...rest } = native;
  return {
    role,
    parts: readContent(content),
    name: textOf(name),
    form: formOf(content),
    ext: residual(OPENAI, known(rest), { name: ifNull(name) }),
    ...readMeta(_meta),
  };
}

/** Fields that no type names in this place: all unknown, by the types. */
const known = (rest: object): Record<never, never> => rest;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const STRING = { [OPENAI]: 'string' };
const PARTS = { [OPENAI]: 'parts' };
const NULL = { [OPENAI]: 'null' };
const ABSENT = { [OPENAI]: 'absent' };

function formOf(content: unknown): { [format: string]: string } {
  if (typeof content === 'string') return STRING;
  return content === undefined ? ABSENT : content === null ? NULL : PARTS;
}

function readToolMessage(native: JsonObject): Message {
  const { role, content, tool_call_id, name, _meta, ...rest } = native;
  const old = role === 'function';
  const callId = old ? oldCallId(textOf(name) ?? '') : asString(tool_call_id, 'tool_call_id');
  const result: Part = {
    type: 'tool_result',
    callId,
    name: textOf(name),
    parts: readContent(content),
    form: formOf(content),
  };
  return {
    role: 'tool',
    parts: [result],
    form: { [OPENAI]: String(role) },
    ext: residual(OPENAI, known(rest)),
    ...readMeta(_meta),
  };
}

/** Before tool calls had ids, a function had at most one open call: its name tells which. */
const oldCallId = (name: string): string => `function_${name}`;

function readAssistant(native: JsonObject): Message {
  const { role: _, content, name, refusal, tool_calls, function_call, _meta, ...more } = native as MessageFields;
  const { reasoning_content, reasoning, annotations, audio, tool_call_id, ...rest } = more;
  const calls = tool_calls === undefined || tool_calls === null ? [] : asArray(tool_calls, 'tool_calls');
  const [citations, otherAnnotations] = readAnnotations(annotations);
  const parts: Part[] = [
    ...readReasoning(reasoning_content, reasoning),
    ...cited(readContent(content), citations),
    ...(typeof refusal === 'string' && refusal !== ''
      ? [{ type: 'refusal' as const, text: refusal, form: FIELD }]
      : []),
    ...calls.map(readCall),
    ...(isCall(function_call) ? [readFunctionCall(function_call)] : []),
  ];
  const kept = {
    refusal: refusal === '' ? refusal : ifNull(refusal),
    tool_calls: calls.length === 0 ? tool_calls : undefined,
    function_call: isCall(function_call) ? undefined : function_call,
    reasoning_content: typeof reasoning_content === 'string' ? undefined : reasoning_content,
    reasoning: typeof reasoning === 'string' ? undefined : reasoning,
    annotations: citations && parts.some((part) => part.type === 'text') ? otherAnnotations : annotations,
    audio,
    tool_call_id,
  };
  return {
    role: 'assistant',
    parts,
    name,
    form: formOf(content),
    ext: residual(OPENAI, rest, kept),
    ...readMeta(_meta),
  };
}

/** Some servers send all fields there are, empty. */
const isCall = (native: unknown): native is JsonObject => isObject(native) && native.name !== '';

/** A refusal in the field of the message, not among the parts of its content. */
const FIELD = { [OPENAI]: 'field' };

/** Two fields are in use; some servers send the same text in both. */
function readReasoning(content: unknown, plain: unknown): Part[] {
  if (typeof content === 'string' && content === plain) return [reasoning(content, 'reasoning_content reasoning')];
  return [
    ...(typeof content === 'string' ? [reasoning(content, 'reasoning_content')] : []),
    ...(typeof plain === 'string' ? [reasoning(plain, 'reasoning')] : []),
  ];
}

const reasoning = (text: string, fields: string): Part => ({ type: 'reasoning', text, form: { [OPENAI]: fields } });

function readCall(native: unknown, index: number): ToolCallPart {
  const { id, type, function: fn, custom, ...rest }: CallFields = asObject(native, `tool_calls[${index}]`);
  const callId = asString(id, `tool_calls[${index}].id`);
  if (custom !== undefined && (!isObject(fn) || (isCall(custom) && !isCall(fn)))) {
    const { name, input, ...more }: CustomFields = asObject(custom, `tool_calls[${index}].custom`);
    const ext = residual(OPENAI, rest, { custom: residual(OPENAI, more)?.[OPENAI], function: fn });
    return {
      type: 'tool_call',
      id: callId,
      name: asString(name, 'custom.name'),
      text: asString(input, 'custom.input'),
      custom: true,
      ext,
    };
  }
  const { name, arguments: raw, ...more }: FunctionFields = asObject(fn, `tool_calls[${index}].function`);
  const ext = residual(OPENAI, rest, {
    type: type === 'function' ? undefined : (type ?? null),
    custom,
    function: residual(OPENAI, more)?.[OPENAI],
  });
  return {
    type: 'tool_call',
    id: callId,
    name: asString(name, 'function.name'),
    ...readArguments(raw, OPENAI, `tool_calls[${index}].function.arguments`),
    ext,
  };
}

function readFunctionCall(native: JsonObject): Part {
  const { name, arguments: raw, ...rest } = native;
  const fn = asString(name, 'function_call.name');
  const ext = { [OPENAI]: { function_call: rest } };
  return {
    type: 'tool_call',
    id: oldCallId(fn),
    name: fn,
    ...readArguments(raw, OPENAI, 'function_call.arguments'),
    ext,
  };
}

/** The web citations, and the list of annotations that are none (undefined if all are). */
export function readAnnotations(native: unknown): [Citation[] | undefined, Json[] | undefined] {
  if (!Array.isArray(native) || native.length === 0) return [undefined, undefined];
  const known = native.every((item) => isObject(item) && item.type === 'url_citation' && isObject(item.url_citation));
  return known ? [native.map(readAnnotation), undefined] : [undefined, native];
}

function readAnnotation(native: JsonObject): Citation {
  const { type: _, url_citation, ...rest }: AnnotationFields = native;
  const { url, title, start_index, end_index, ...more }: UrlCitationFields = asObject(url_citation, 'url_citation');
  return {
    url,
    title,
    start: start_index,
    end: end_index,
    ext: residual(OPENAI, rest, { url_citation: residual(OPENAI, more)?.[OPENAI] }),
  };
}

/** Citations belong to the text: to the first part of it, since the API gives one text as a rule. */
function cited(parts: Part[], citations: Citation[] | undefined): Part[] {
  const index = citations ? parts.findIndex((part) => part.type === 'text') : -1;
  return parts.map((part, i) => (i === index && part.type === 'text' ? { ...part, citations } : part));
}
