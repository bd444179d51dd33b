// Tool definitions and the choice among them: https://platform.openai.com/docs/guides/function-calling

import type { Ext, Head, Lose, Tool, ToolChoice } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { ifNull, own, residual } from '../codec/residual.ts';
import { RESPONSES } from './name.ts';
import type { CustomToolFields, FunctionToolFields, NamespaceFields, ToolChoiceFields } from './types.ts';

/** A namespace reads as its tools: each remembers where it stood. */
export function readTools(native: unknown): Tool[] | undefined {
  if (native === undefined || native === null) return undefined;
  return asArray(native, 'tools').flatMap((tool, index) => {
    const fields = asObject<JsonObject>(tool, `tools[${index}]`);
    return fields.type === 'namespace' ? readNamespace(fields, index) : [readTool(fields, `tools[${index}]`)];
  });
}

function readTool(native: JsonObject, path: string, inside?: JsonObject): Tool {
  if (native.type === 'function') return readFunction(native as never, path, inside);
  if (native.type === 'custom') return readCustom(native as never, path, inside);
  return { type: 'provider', name: String(native.name ?? native.type ?? 'tool'), ext: { [RESPONSES]: native } };
}

function readFunction(native: FunctionToolFields, path: string, namespace?: JsonObject): Tool {
  const { type: _, name, description, parameters, strict, ...more } = native;
  const { allowed_callers, async, defer_loading, output_schema, ...rest } = more;
  const kept = { allowed_callers, async, defer_loading, output_schema, namespace };
  return {
    type: 'function',
    name: asString(name, `${path}.name`),
    description: description ?? undefined,
    schema: (parameters ?? undefined) as Json | undefined,
    strict,
    form: OWN,
    ext: residual(RESPONSES, rest, { ...kept, description: ifNull(description), parameters: ifNull(parameters) }),
  };
}

const OWN = { [RESPONSES]: 'tool' };

function readCustom(native: CustomToolFields, path: string, namespace?: JsonObject): Tool {
  const { type: _, name, description, format, allowed_callers, async, defer_loading, ...rest } = native;
  return {
    type: 'custom',
    name: asString(name, `${path}.name`),
    description,
    form: OWN,
    ext: residual(RESPONSES, rest, { format, allowed_callers, async, defer_loading, namespace }),
  };
}

/** The namespace's own fields go with each of its tools, and its place, so that two of one name stay apart. */
function readNamespace(native: NamespaceFields, index: number): Tool[] {
  const { type, name, description, tools, ...rest } = native;
  const list = asArray(tools, `tools[${index}].tools`);
  if (list.length === 0) return [readTool(native as JsonObject, `tools[${index}]`)];
  const about = residual(RESPONSES, rest, { type, name, description })?.[RESPONSES] ?? {};
  return list.map((tool, i) => {
    const path = `tools[${index}].tools[${i}]`;
    const inner = readTool(asObject<JsonObject>(tool, path), path, about);
    return { ...inner, form: { [RESPONSES]: `namespace ${index}` } };
  });
}

export function writeTools(tools: readonly Tool[], lose: Lose): JsonObject[] {
  const natives: JsonObject[] = [];
  let place: string | undefined;
  for (const tool of tools) {
    const native = writeTool(tool, lose);
    if (native === undefined) continue;
    const { namespace, ...plain } = native;
    const here = namespace === undefined ? undefined : tool.form?.[RESPONSES];
    const last = natives.at(-1);
    if (here !== undefined && here === place && last) last.tools = [...(last.tools as Json[]), plain];
    else natives.push(here === undefined ? native : { ...(namespace as JsonObject), tools: [plain] });
    place = here;
  }
  return natives;
}

/** Whether the schema is enforced must be said: without `strict` the API takes it for true. */
function writeTool(tool: Tool, lose: Lose): JsonObject | undefined {
  const kept = own(tool.ext, RESPONSES);
  if (tool.type === 'provider') {
    if (kept === undefined) lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return kept;
  }
  if (tool.cache) lose('tools: cache_control', 'tools have no breakpoints');
  const { name, description } = tool;
  const about = { ...kept, name, ...(description !== undefined && { description }) };
  if (tool.type === 'custom') return { type: 'custom', ...about, ...formatOf(tool.ext) };
  const foreign = tool.form?.[RESPONSES] === undefined;
  const strict = foreign ? (tool.strict ?? false) : tool.strict;
  const parameters = tool.schema ?? (foreign ? NO_INPUT : undefined);
  return {
    type: 'function',
    ...about,
    ...(parameters !== undefined && { parameters }),
    ...(strict !== undefined && { strict }),
  };
}

const NO_INPUT = { type: 'object', properties: {} };

/** The grammar of a custom tool, which Chat spells one level deeper. */
function formatOf(ext: Ext | undefined): JsonObject | undefined {
  const custom = ext?.openai?.custom;
  if (own(ext, RESPONSES)?.format !== undefined || !isObject(custom) || !isObject(custom.format)) return undefined;
  const { type, grammar } = custom.format;
  return { format: isObject(grammar) ? { type, ...grammar } : { type } };
}

export function readToolChoice(native: unknown): ToolChoice | undefined {
  if (native === undefined || native === null) return undefined;
  if (native === 'auto' || native === 'none' || native === 'required') return { mode: native };
  const { type, name, mode, tools, ...rest }: ToolChoiceFields = isObject(native) ? native : {};
  const ext = { [RESPONSES]: { tool_choice: native as Json } };
  const plain =
    (type === 'function' || type === 'custom') && typeof name === 'string' && Object.keys(rest).length === 0;
  if (plain) return { mode: 'required', names: [name as string], form: { [RESPONSES]: String(type) } };
  if (type !== 'allowed_tools' || !Array.isArray(tools)) return { mode: 'auto', ext };
  const names = tools.map((tool: unknown) => String((isObject(tool) && tool.name) ?? ''));
  return { mode: mode === 'required' ? 'required' : 'auto', names, ext };
}

/** A kept choice comes back as long as the view still says the same. */
export function writeToolChoice(head: Head): Json | undefined {
  const choice = head.toolChoice;
  if (choice === undefined) return undefined;
  const kept = own(choice.ext, RESPONSES)?.tool_choice;
  const before = kept === undefined ? undefined : readToolChoice(kept);
  if (before && before.mode === choice.mode && String(before.names) === String(choice.names)) return kept;
  const { mode, names = [] } = choice;
  const [name] = names;
  if (name === undefined || mode === 'none') return mode;
  const kindOf = (tool: string) =>
    choice.form?.[RESPONSES] === 'custom' || isCustom(head, tool) ? 'custom' : 'function';
  if (names.length === 1 && mode === 'required') return { type: kindOf(name), name };
  return { type: 'allowed_tools', mode, tools: names.map((tool) => ({ type: kindOf(tool), name: tool })) };
}

const isCustom = (head: Head, name: string): boolean =>
  head.tools?.some((tool) => tool.type === 'custom' && tool.name === name) ?? false;
