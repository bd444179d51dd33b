// Tool definitions and the choice among them: https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview

import type { Head, Lose, Tool, ToolChoice } from '../../conversation/types.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { ifNull, own, residual } from '../codec/residual.ts';
import { readCache, writeCache } from './cache.ts';
import { ANTHROPIC } from './name.ts';
import type { ToolChoiceFields, ToolFields } from './types.ts';
import { optional } from './write-blocks.ts';

export function readTools(native: unknown): Tool[] | undefined {
  return native === undefined ? undefined : asArray(native, 'tools').map(readTool);
}

/** A tool with a type other than `custom` is one that the provider defines: its fields are its own. */
function readTool(native: unknown, index: number): Tool {
  const fields = asObject<ToolFields>(native, `tools[${index}]`);
  if (typeof fields.type === 'string' && fields.type !== 'custom') {
    const { name, ...rest } = fields as JsonObject;
    return {
      type: 'provider',
      name: typeof name === 'string' ? name : fields.type,
      ext: { [ANTHROPIC]: { name, ...rest } },
    };
  }
  const { type, name, description, input_schema, strict, cache_control, ...more } = fields;
  const { allowed_callers, defer_loading, eager_input_streaming, input_examples, ...rest } = more;
  const cache = readCache(cache_control);
  const kept = { type, allowed_callers, defer_loading, eager_input_streaming, input_examples };
  return {
    type: 'function',
    name: asString(name, `tools[${index}].name`),
    description,
    schema: input_schema as Json,
    strict,
    cache,
    ext: residual(ANTHROPIC, rest, { ...kept, cache_control: cache ? undefined : cache_control }),
  };
}

export function writeTools(tools: readonly Tool[], lose: Lose): JsonObject[] {
  return tools.map((tool) => writeTool(tool, lose)).filter((tool) => tool !== undefined);
}

function writeTool(tool: Tool, lose: Lose): JsonObject | undefined {
  const kept = own(tool.ext, ANTHROPIC);
  if (tool.type === 'provider') {
    if (kept === undefined) lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return kept;
  }
  const { name, description, strict } = tool;
  const input_schema = tool.type === 'custom' ? FREE_TEXT : (tool.schema ?? NO_INPUT);
  const more = optional({ description, strict: strict ?? undefined, cache_control: writeCache(tool.cache) });
  return { ...kept, name, ...more, input_schema };
}

const NO_INPUT = { type: 'object', properties: {} };

/** A custom tool of OpenAI takes text; here it takes an object with that text. */
const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

const MODES = { auto: 'auto', any: 'required', tool: 'required', none: 'none' } as const;

export function readToolChoice(native: unknown): Pick<Head, 'toolChoice' | 'parallelToolCalls'> {
  if (native === undefined) return {};
  const { type, name, disable_parallel_tool_use, ...rest }: ToolChoiceFields = asObject(native, 'tool_choice');
  const mode = type === undefined ? undefined : lookup(MODES, type);
  if (mode === undefined) return { toolChoice: { mode: 'auto', ext: { [ANTHROPIC]: native as JsonObject } } };
  const parallel = typeof disable_parallel_tool_use === 'boolean' ? !disable_parallel_tool_use : undefined;
  const ext = residual(ANTHROPIC, rest, { disable_parallel_tool_use: ifNull(disable_parallel_tool_use) });
  return {
    toolChoice: { mode, names: type === 'tool' ? [asString(name, 'tool_choice.name')] : undefined, ext },
    parallelToolCalls: parallel,
  };
}

export function writeToolChoice(
  choice: ToolChoice | undefined,
  parallel: boolean | undefined,
  lose: Lose,
): JsonObject | undefined {
  if (choice === undefined && parallel === undefined) return undefined;
  const kept = own(choice?.ext, ANTHROPIC);
  if (kept?.type !== undefined) return kept;
  const names = choice?.names ?? [];
  const mode = choice?.mode ?? 'auto';
  if (names.length > 1 || (names.length === 1 && mode === 'auto'))
    lose('tool_choice', 'it names one tool, all, or none');
  const disable = parallel === undefined || mode === 'none' ? undefined : { disable_parallel_tool_use: !parallel };
  if (mode === 'required' && names.length === 1) return { ...kept, type: 'tool', name: names[0], ...disable };
  return { ...kept, type: mode === 'required' ? 'any' : mode, ...disable };
}
