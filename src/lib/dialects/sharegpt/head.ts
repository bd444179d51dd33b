// What stands beside the turns of a dataset's row: the system prompt, the tools as text, and whatever else the row holds.

import type { Head, Lose, Message, Part, Tool } from '../../conversation/types.ts';
import { equal, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { parametersOf, passedOn } from '../codec/parameters.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { sayPart } from './messages.ts';
import { SHAREGPT } from './name.ts';

export function readHead(native: JsonObject): Request {
  const { conversations: _, system, tools, _meta, ...others } = native;
  const rest: Record<never, never> = others;
  const read = readTools(tools);
  const told = typeof system === 'string' && system !== '' ? [systemMessage(system)] : [];
  // An API would refuse the columns of a dataset beside its parameters.
  const row = passedOn(rest);
  const kept = {
    ...(told.length === 0 && { system }),
    ...(read === undefined && { tools }),
    ...parametersOf(rest),
  };
  const head: Head = {
    tools: read,
    ext: residual(SHAREGPT, {}, kept),
    form: typeof tools === 'string' && read ? { [SHAREGPT]: tools } : undefined,
    meta: row || isObject(_meta) ? { ...(isObject(_meta) && _meta), ...(row && { row }) } : undefined,
  };
  return { head, messages: told };
}

const systemMessage = (text: string): Message => ({
  role: 'system',
  parts: [{ type: 'text', text }],
  form: { [SHAREGPT]: 'head' },
});

/** Tools as the text of a JSON list, or as the list; undefined for anything else. */
function readTools(native: Json | undefined): Tool[] | undefined {
  const list = typeof native === 'string' ? parsed(native) : native;
  if (!Array.isArray(list)) return undefined;
  const tools = list.map(readTool);
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readTool(native: Json): Tool | undefined {
  if (!isObject(native)) return undefined;
  const wrapped = native.type === 'function' && isObject(native.function);
  const { name, description, parameters, ...rest } = (wrapped ? native.function : native) as JsonObject;
  if (typeof name !== 'string') return undefined;
  const known: Record<never, never> = rest;
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters !== undefined && { schema: parameters }),
    ext: residual(SHAREGPT, known),
    form: { [SHAREGPT]: wrapped ? 'wrapped' : 'plain' },
  };
}

/** The system prompt goes beside the turns. */
export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  for (const [field, value] of Object.entries(head))
    if (!KEPT.has(field) && value !== undefined && value !== null) lose(field, 'training data has no parameters');
  for (const { name } of system) if (name !== undefined) lose('name', 'a system prompt has none');
  const texts = system.flatMap(({ parts }) => parts.flatMap((part) => writeSystem(part, lose)));
  const { row, ...meta } = head.meta ?? {};
  const native = {
    ...head.extra,
    ...(isObject(row) && row),
    ...own(head.ext, SHAREGPT),
    ...(texts.length > 0 && { system: texts.join('\n\n') }),
    ...(head.tools && { tools: writeTools(head, lose) }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  return { native, rest: [] };
}

function writeSystem(part: Part, lose: Lose): string[] {
  sayPart(part, lose);
  return part.type === 'text' ? [part.text] : [];
}

const KEPT = new Set(['tools', 'extra', 'ext', 'form', 'meta']);

/** The text as it came, if it still says what the view says. */
function writeTools({ tools = [], form }: Head, lose: Lose): Json {
  const list = tools.flatMap((tool) => writeTool(tool, lose));
  const raw = form?.[SHAREGPT];
  if (raw !== undefined && equal(parsed(raw), list)) return raw;
  const asList = raw === undefined && tools.every((tool) => tool.form?.[SHAREGPT] !== undefined) && tools.length > 0;
  return asList ? list : JSON.stringify(list);
}

function writeTool(tool: Tool, lose: Lose): JsonObject[] {
  if (tool.type === 'provider') {
    lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return [];
  }
  const { name, description, schema, form, strict, cache } = tool;
  if (typeof strict === 'boolean') lose('tools: strict', 'training data has no such field');
  if (cache) lose('tools: cache_control', 'training data has no breakpoints');
  const fn = {
    ...own(tool.ext, SHAREGPT),
    name,
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { parameters: schema }),
  };
  return [form?.[SHAREGPT] === 'wrapped' ? { type: 'function', function: fn } : fn];
}
