// Tool definitions and the choice among them: https://platform.openai.com/docs/guides/function-calling

import type { Ext, Head, Lose, Tool, ToolChoice } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { own, residual } from '../codec/residual.ts';
import { OPENAI } from './name.ts';
import type { CustomDefinitionFields, FunctionDefinitionFields, ToolChoiceFields, ToolFields } from './types.ts';

export function readTools(native: unknown): Tool[] | undefined {
  return native === undefined || native === null ? undefined : asArray(native, 'tools').map(readTool);
}

function readTool(native: unknown, index: number): Tool {
  const { type, function: fn, custom, ...rest }: ToolFields = asObject(native, `tools[${index}]`);
  if (isObject(fn)) {
    const { name, description, parameters, strict, ...more }: FunctionDefinitionFields = fn;
    const extra = residual(OPENAI, more)?.[OPENAI];
    const ext = residual(OPENAI, rest, { type: type === 'function' ? undefined : (type ?? null), function: extra });
    return {
      type: 'function',
      name: asString(name, `tools[${index}].function.name`),
      description,
      schema: parameters as Json,
      strict,
      ext,
    };
  }
  if (isObject(custom)) {
    const { name, description, format, ...more }: CustomDefinitionFields = custom;
    const extra = residual(OPENAI, more, { format })?.[OPENAI];
    return {
      type: 'custom',
      name: asString(name, `tools[${index}].custom.name`),
      description,
      ext: residual(OPENAI, rest, { custom: extra }),
    };
  }
  const whole = native as JsonObject;
  return { type: 'provider', name: String(whole.name ?? whole.type ?? 'tool'), ext: { [OPENAI]: whole } };
}

export function writeTools(tools: readonly Tool[], lose: Lose): JsonObject[] {
  return tools.map((tool) => writeTool(tool, lose)).filter((tool) => tool !== undefined);
}

function writeTool(tool: Tool, lose: Lose): JsonObject | undefined {
  const kept = own(tool.ext, OPENAI);
  if (tool.type === 'provider') {
    if (kept === undefined) lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return kept;
  }
  const { function: fn, custom, type = 'function', ...more } = kept ?? {};
  const { name, description, strict } = tool;
  const about = { name, ...(description !== undefined && { description }) };
  if (tool.cache) lose('tools: cache_control', 'tools have no breakpoints');
  if (tool.type === 'custom')
    return { ...more, type: 'custom', custom: { ...formatOf(tool.ext), ...(custom as JsonObject), ...about } };
  const schema = tool.schema === undefined ? undefined : { parameters: tool.schema };
  return {
    ...(type !== null && { type }),
    ...more,
    function: { ...(fn as JsonObject), ...about, ...schema, ...(strict !== undefined && { strict }) },
  };
}

/** The grammar of a custom tool, which Responses spells one level higher. */
function formatOf(ext: Ext | undefined): JsonObject | undefined {
  const format = own(ext, 'openai-responses')?.format;
  if (!isObject(format)) return undefined;
  const { type, ...grammar } = format;
  return { format: type === 'grammar' ? { type, grammar } : { type } };
}

export function readToolChoice(native: unknown): ToolChoice | undefined {
  if (native === undefined || native === null) return undefined;
  if (native === 'auto' || native === 'none' || native === 'required') return { mode: native };
  if (native === 'any') return { mode: 'required', form: { [OPENAI]: 'any' } };
  if (!isObject(native)) return { mode: 'auto', ext: { [OPENAI]: { tool_choice: native as Json } } };
  const { type, function: fn, custom, allowed_tools, ...rest }: ToolChoiceFields = native;
  const name = isObject(fn) ? fn.name : isObject(custom) ? custom.name : undefined;
  const plain = typeof name === 'string' && Object.keys(rest).length === 0 && allowed_tools === undefined;
  if (plain) return { mode: 'required', names: [name], form: { [OPENAI]: type ?? 'function' } };
  if (!isObject(allowed_tools)) return { mode: 'auto', ext: { [OPENAI]: { tool_choice: native } } };
  const { mode, tools } = allowed_tools as { mode?: unknown; tools?: unknown };
  const names = Array.isArray(tools) ? tools.map((tool) => nameIn(tool)) : [];
  return { mode: mode === 'required' ? 'required' : 'auto', names, ext: { [OPENAI]: { tool_choice: native } } };
}

const nameIn = (tool: unknown): string => {
  const fields = isObject(tool) ? tool : {};
  const inner = isObject(fields.function) ? fields.function : isObject(fields.custom) ? fields.custom : fields;
  return String(inner.name ?? '');
};

/** The choice, if anything says more than "auto". A kept one comes back as long as the view still says the same. */
export function writeToolChoice(head: Head): Json | undefined {
  const choice = head.toolChoice;
  if (choice === undefined) return undefined;
  const kept = own(choice.ext, OPENAI)?.tool_choice;
  const before = kept === undefined ? undefined : readToolChoice(kept);
  if (before && before.mode === choice.mode && String(before.names) === String(choice.names)) return kept;
  const { mode, names = [] } = choice;
  const [name] = names;
  const form = choice.form?.[OPENAI];
  if (name === undefined) return form === 'any' && mode === 'required' ? 'any' : mode;
  const kind = form === 'custom' || isCustom(head, name) ? 'custom' : 'function';
  if (names.length === 1 && mode === 'required') return { type: kind, [kind]: { name } };
  const tools = names.map((tool) => ({ type: 'function', function: { name: tool } }));
  return mode === 'none' ? 'none' : { type: 'allowed_tools', allowed_tools: { mode, tools } };
}

const isCustom = (head: Head, name: string): boolean =>
  head.tools?.some((tool) => tool.type === 'custom' && tool.name === name) ?? false;
