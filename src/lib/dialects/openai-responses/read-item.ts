// Items to parts: a call, a result, reasoning, or something that this API alone has.

import type { Part, ReasoningPart, Role, ToolCallPart, ToolResultPart } from '../../conversation/types.ts';
import { asString, type Json, type JsonObject } from '../../json/values.ts';
import { readArguments } from '../codec/arguments.ts';
import { residual } from '../codec/residual.ts';
import { type CallKind, callKind, ownRole, type ResultKind, resultKind } from './kinds.ts';
import { RESPONSES } from './name.ts';
import { readContent, sourceOf } from './read-content.ts';
import type { ItemOf } from './types.ts';

/** What an item other than a message says, and in whose turn. An item of an unknown type is kept whole. */
export function readItem(item: JsonObject): { readonly role: Role; readonly part: Part } {
  const { type } = item;
  if (type === 'function_call') return { role: 'assistant', part: readFunctionCall(item as never) };
  if (type === 'custom_tool_call') return { role: 'assistant', part: readCustomCall(item as never) };
  if (type === 'reasoning') return { role: 'assistant', part: readReasoning(item as never) };
  const call = callKind(type);
  if (call) return { role: 'assistant', part: readCall(item, call) };
  const result = resultKind(type);
  if (result) return readResult(item, result);
  return { role: ownRole(type) ?? 'assistant', part: whole(item) };
}

/** An item that is kept as it is, and takes the place of a whole message. */
export const whole = (item: JsonObject): Part => ({ type: 'native', format: RESPONSES, value: item, form: ITEM });

const ITEM = { [RESPONSES]: 'item' };

function readFunctionCall(item: ItemOf<'function_call'>): ToolCallPart {
  const { type: _, call_id, name, arguments: raw, id, status, namespace, async, caller, created_by, ...rest } = item;
  return {
    type: 'tool_call',
    id: asString(call_id, 'call_id'),
    name: asString(name, 'name'),
    ...readArguments(raw, RESPONSES, 'arguments'),
    ext: residual(RESPONSES, rest, { id, status, namespace, async, caller, created_by }),
  };
}

function readCustomCall(item: ItemOf<'custom_tool_call'>): ToolCallPart {
  const { type: _, call_id, name, input, id, status, namespace, async, caller, created_by, ...rest } = item;
  return {
    type: 'tool_call',
    id: asString(call_id, 'call_id'),
    name: asString(name, 'name'),
    text: asString(input, 'input'),
    custom: true,
    ext: residual(RESPONSES, rest, { id, status, namespace, async, caller, created_by }),
  };
}

/** A call of another kind; one without an input or an id says nothing to others, and is kept whole. */
function readCall(item: JsonObject, kind: CallKind): Part {
  const field = kind.input.find((name) => item[name] !== undefined);
  const id = item[kind.id];
  const name = kind.name ?? item.name;
  if (field === undefined || typeof name !== 'string') return whole(item);
  // A search that the provider runs has no id of its own.
  if (typeof id !== 'string' && ranBy(item, kind) === undefined) return whole(item);
  const known = [field, ...(typeof id === 'string' ? [kind.id] : []), ...(kind.name === undefined ? ['name'] : [])];
  const rest = Object.fromEntries(Object.entries(item).filter(([key]) => !known.includes(key)));
  return {
    type: 'tool_call',
    id: typeof id === 'string' ? id : '',
    name,
    ...(kind.text
      ? readArguments(item[field], RESPONSES, field)
      : { input: item[field] as Json, form: { [RESPONSES]: field } }),
    by: ranBy(item, kind),
    ext: residual(RESPONSES, {}, rest),
  };
}

/** A search runs at the provider unless it says otherwise, a shell where its environment is. */
function ranBy(item: JsonObject, { by }: CallKind | ResultKind): 'provider' | undefined {
  if (by === 'provider') return by;
  if (by === 'execution') return item.execution === 'client' ? undefined : 'provider';
  const { type } = (item.environment ?? {}) as { type?: unknown };
  return by === 'environment' && String(type).startsWith('container') ? 'provider' : undefined;
}

function readResult(item: JsonObject, kind: ResultKind): { role: Role; part: Part } {
  const idField = kind.id.find((name) => typeof item[name] === 'string');
  const output = item[kind.output];
  const by = ranBy(item, kind);
  const role = by === 'provider' ? 'assistant' : 'tool';
  if ((idField === undefined && by === undefined) || (kind.shape === 'screenshot' && screenshot(output).length === 0))
    return { role, part: whole(item) };
  const { type, name, [kind.output]: _, ...others } = item;
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => key !== idField));
  const kept = { ...rest, ...(type !== 'function_call_output' && type !== 'custom_tool_call_output' && { type }) };
  const part: ToolResultPart = {
    type: 'tool_result',
    callId: idField === undefined ? '' : (item[idField] as string),
    ...(typeof name === 'string' && { name }),
    parts: readOutput(output, kind),
    ...(type === 'custom_tool_call_output' && { custom: true }),
    ...(item.status === 'failed' && { error: true }),
    by,
    form: { [RESPONSES]: idField === 'id' ? `${spelling(output)} id` : spelling(output) },
    ext: residual(RESPONSES, {}, typeof name === 'string' ? kept : { ...kept, name }),
  };
  return { role, part };
}

const spelling = (output: unknown): string =>
  output === null ? 'null' : output === undefined ? 'absent' : Array.isArray(output) ? 'parts' : typeof output;

function readOutput(output: unknown, { shape }: ResultKind): Part[] {
  if (shape === 'content') return readContent(output);
  if (shape === 'screenshot') return screenshot(output);
  if (output === undefined || output === null) return [];
  return [{ type: 'text', text: shape === 'text' && typeof output === 'string' ? output : JSON.stringify(output) }];
}

/** `{type: "computer_screenshot", image_url | file_id}` */
function screenshot(output: unknown): Part[] {
  const { image_url, file_id, ...rest } = (output ?? {}) as JsonObject;
  const source = sourceOf(image_url, file_id);
  if (source === undefined) return [];
  const kept = { ...rest, ...(source.type === 'file' ? { image_url } : { file_id }) };
  return [{ type: 'media', kind: 'image', source, ext: residual(RESPONSES, {}, kept) }];
}

/**
 * The texts are the content, where the item has one, else the summary: the form says which, and how long each piece is. The ciphertext stays in
 * the residual: it is of use to this API alone, and another each time it is sent.
 */
function readReasoning(item: ItemOf<'reasoning'>): ReasoningPart {
  const { type: _, id, summary, content, encrypted_content, status, ...rest } = item;
  const field = texts(content) ? 'content' : texts(summary) ? 'summary' : undefined;
  const pieces = (field === 'content' ? texts(content) : field === 'summary' ? texts(summary) : undefined) ?? [];
  const kept = {
    id,
    status,
    summary: field === 'summary' ? undefined : summary,
    content: field === 'content' ? undefined : content,
    encrypted_content,
  };
  return {
    type: 'reasoning',
    ...(field && { text: pieces.join(BETWEEN) }),
    form: { [RESPONSES]: [field ?? 'none', ...pieces.map((piece) => piece.length)].join(' ') },
    ext: residual(RESPONSES, rest, kept),
  };
}

/** What stands between the pieces of a summary, as the API's own clients show it. */
export const BETWEEN = '\n\n';

/** The texts of a list of plain text pieces; undefined if there is none, or one says more than its text. */
function texts(list: unknown): string[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const plain = list.every(
    (piece) =>
      typeof piece?.text === 'string' &&
      (piece.type === 'summary_text' || piece.type === 'reasoning_text') &&
      Object.keys(piece).length === 2,
  );
  return plain ? list.map((piece) => piece.text as string) : undefined;
}
