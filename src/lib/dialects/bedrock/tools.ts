// Tool definitions and the choice among them: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html

import type { Head, Lose, Tool, ToolChoice } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { eligible, FREE_TEXT, NO_INPUT } from '../chat/tools.ts';
import { optional } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { BEDROCK } from './name.ts';
import { readCache } from './read-blocks.ts';
import type { ToolChoiceFields, ToolConfigFields, ToolFields, ToolSpecFields } from './types.ts';
import { writeCache } from './write-blocks.ts';

/** `toolConfig`: the tools, the choice, and what the view does not name. Throws a ShapeError. */
export function readToolConfig(native: unknown): Pick<Head, 'tools' | 'toolChoice'> & { readonly rest?: JsonObject } {
  if (!isObject(native)) return {};
  const { tools, toolChoice, ...more } = native as ToolConfigFields;
  return {
    tools: tools === undefined ? undefined : readTools(asArray<unknown>(tools, 'toolConfig.tools')),
    toolChoice: toolChoice === undefined ? undefined : readToolChoice(toolChoice),
    rest: residual(BEDROCK, more)?.[BEDROCK],
  };
}

/** A cache point becomes the breakpoint of the tool before it. */
function readTools(native: readonly unknown[]): Tool[] {
  const tools: Tool[] = [];
  native.forEach((item, index) => {
    const fields = asObject<JsonObject>(item, `toolConfig.tools[${index}]`);
    const cache = readCache(fields);
    const before = tools.at(-1);
    if (cache && before && !before.cache) tools[tools.length - 1] = { ...before, cache };
    else tools.push(readTool(fields, index));
  });
  return tools;
}

function readTool(native: JsonObject, index: number): Tool {
  const { toolSpec, systemTool, cachePoint, ...rest } = native as ToolFields;
  if (!isObject(toolSpec)) {
    const name = isObject(systemTool) ? systemTool.name : Object.keys(native)[0];
    return { type: 'provider', name: String(name ?? 'tool'), ext: { [BEDROCK]: native } };
  }
  const { name, description, inputSchema, strict, ...more } = toolSpec as ToolSpecFields;
  const { json, ...schema } = isObject(inputSchema) ? inputSchema : {};
  const known = isObject(inputSchema) && Object.keys(schema).length === 0;
  const inner = residual(BEDROCK, more, { inputSchema: known ? undefined : inputSchema })?.[BEDROCK];
  return {
    type: 'function',
    name: asString(name, `toolConfig.tools[${index}].toolSpec.name`),
    description,
    schema: known ? json : undefined,
    strict,
    ext: residual(BEDROCK, rest, { systemTool, cachePoint, toolSpec: inner }),
    form: { [BEDROCK]: 'toolSpec' },
  };
}

export function writeToolConfig(head: Head, rest: JsonObject, lose: Lose): JsonObject | undefined {
  const tools = eligible(head, true, lose)?.flatMap((tool) => writeTool(tool, lose));
  const some = head.form?.[BEDROCK] === undefined && tools?.length === 0 ? undefined : tools;
  const toolChoice = writeToolChoice(head.toolChoice, some !== undefined, lose);
  const written = { ...rest, ...optional({ tools: some, toolChoice }) };
  return Object.keys(written).length > 0 ? written : undefined;
}

function writeTool(tool: Tool, lose: Lose): JsonObject[] {
  const kept = own(tool.ext, BEDROCK);
  const cache = tool.cache ? [writeCache(tool.cache)] : [];
  if (tool.type === 'provider') {
    if (kept === undefined) lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return kept ? [kept, ...cache] : [];
  }
  const { toolSpec, ...more } = kept ?? {};
  const isOwn = tool.form?.[BEDROCK] !== undefined;
  const schema = tool.schema ?? (tool.type === 'custom' ? FREE_TEXT : isOwn ? undefined : NO_INPUT);
  // A description that is there must not be empty.
  const description = tool.description === '' && !isOwn ? undefined : tool.description;
  const inputSchema = schema === undefined ? undefined : { json: schema };
  const about = optional({ description, inputSchema, strict: tool.strict ?? undefined });
  return [{ ...more, toolSpec: { ...(toolSpec as JsonObject), name: tool.name, ...about } }, ...cache];
}

function readToolChoice(native: unknown): ToolChoice {
  const { auto, any, tool, ...rest } = asObject<ToolChoiceFields>(native, 'toolConfig.toolChoice');
  const [only, other] = Object.values({ auto, any, tool, ...rest }).filter((value) => value !== undefined);
  const name = isObject(tool) && typeof tool.name === 'string' ? tool.name : undefined;
  const size = name === undefined ? 0 : 1;
  const plain = other === undefined && isObject(only) && Object.keys(only).length === size;
  if (plain && auto !== undefined) return { mode: 'auto' };
  if (plain && any !== undefined) return { mode: 'required' };
  if (plain && name !== undefined) return { mode: 'required', names: [name] };
  return { mode: 'auto', ext: { [BEDROCK]: native as JsonObject } };
}

function writeToolChoice(choice: ToolChoice | undefined, hasTools: boolean, lose: Lose): Json | undefined {
  if (choice === undefined) return undefined;
  const kept = own(choice.ext, BEDROCK);
  if (kept) return kept;
  if (choice.mode === 'none') lose('tool_choice', 'the API cannot forbid calls');
  else if (!hasTools) lose('tool_choice', 'no tools are declared');
  if (choice.mode === 'none' || !hasTools) return undefined;
  const [name, other] = choice.names ?? [];
  if (choice.mode === 'required' && name !== undefined && other === undefined) return { tool: { name } };
  return choice.mode === 'required' ? { any: {} } : { auto: {} };
}
