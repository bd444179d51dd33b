// Function tools as Chat Completions spells them, for the APIs that took its spelling over.

import type { FormatName, Head, Lose, Tool } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { gather, optional, spread } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import type { FunctionFields, ToolFields } from './types.ts';

/** `tools` of a body. A tool that is no function is the provider's own. Throws a ShapeError. */
export function readTools(native: unknown, format: FormatName): Tool[] | undefined {
  if (native === undefined || native === null) return undefined;
  return asArray(native, 'tools').map((tool, index) => readTool(tool, index, format));
}

function readTool(native: unknown, index: number, format: FormatName): Tool {
  const { type, function: fn, ...rest }: ToolFields = asObject(native, `tools[${index}]`);
  if (!isObject(fn)) {
    const whole = native as JsonObject;
    return { type: 'provider', name: String(whole.name ?? whole.type ?? 'tool'), ext: { [format]: whole } };
  }
  const { name, description, parameters, strict, type: inner, ...more } = fn as FunctionFields;
  const within = residual(format, more, { type: inner })?.[format] ?? {};
  return {
    type: 'function',
    name: asString(name, `tools[${index}].function.name`),
    description,
    schema: parameters as Json,
    strict,
    ext: residual(format, rest, { type, ...spread('function', within) }),
    form: { [format]: 'function' },
  };
}

/** What the API makes of tools. */
interface ToolRules {
  /** Written where a tool has no schema; without it the field stays away. */
  readonly noInput?: JsonObject;
  /** Whether a function has `strict`. */
  readonly strict: boolean;
}

export function writeTools(
  tools: readonly Tool[] | undefined,
  format: FormatName,
  rules: ToolRules,
  lose: Lose,
): JsonObject[] | undefined {
  return tools?.map((tool) => writeTool(tool, format, rules, lose)).filter((tool) => tool !== undefined);
}

function writeTool(tool: Tool, format: FormatName, rules: ToolRules, lose: Lose): JsonObject | undefined {
  const kept = own(tool.ext, format);
  if (tool.type === 'provider') {
    if (kept === undefined) lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return kept;
  }
  if (tool.cache) lose('tools: cache_control', 'tools have no breakpoints');
  const { inner, beside } = gather('function', kept);
  const strict = rules.strict ? tool.strict : writeNoStrict(tool, lose);
  const parameters = tool.type === 'custom' ? FREE_TEXT : (tool.schema ?? rules.noInput);
  const about = optional({ description: tool.description, parameters, strict });
  const type = tool.form?.[format] === undefined ? { type: 'function' } : undefined;
  return { ...type, ...beside, function: { ...inner, name: tool.name, ...about } };
}

function writeNoStrict(tool: Tool, lose: Lose): undefined {
  if (tool.strict) lose('tools: strict', 'tools have no such field');
}

/** A custom tool of OpenAI takes text; elsewhere it takes an object with that text. */
export const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

export const NO_INPUT = { type: 'object', properties: {} };

/** The tools among which the model may choose, where the choice itself cannot name them. `namesOne`: it can name a single one to be called. */
export function eligible({ tools, toolChoice }: Head, namesOne: boolean, lose: Lose): readonly Tool[] | undefined {
  const { mode, names = [] } = toolChoice ?? {};
  const named = namesOne && mode === 'required' && names.length === 1;
  if (tools === undefined || mode === 'none' || named || names.length === 0) return tools;
  const wanted = new Set(names);
  const kept = tools.filter((tool) => wanted.has(tool.name));
  if (kept.length === 0 || kept.length === tools.length) return tools;
  lose('tools', 'tool_choice cannot name several tools: only the named tools are declared');
  return kept;
}
