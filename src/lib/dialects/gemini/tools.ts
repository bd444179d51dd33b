// Tool definitions and the choice among them: https://ai.google.dev/api/caching#Tool

import type { Head, Lose, Tool, ToolChoice } from '../../conversation/types.ts';
import {
  asArray,
  asObject,
  asString,
  equal,
  isObject,
  type Json,
  type JsonObject,
  ShapeError,
} from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { GEMINI } from './name.ts';
import { toJsonSchema } from './openapi.ts';
import type { CallingFields, DeclarationFields, ToolConfigFields, ToolFields } from './types.ts';

/** An entry holds any number of functions, and the API's own tools by their names: each reads as a tool that knows its entry. */
export function readTools(native: unknown): Tool[] | undefined {
  if (native === undefined) return undefined;
  return asArray(native, 'tools').flatMap((entry, index) => readEntry(asObject(entry, `tools[${index}]`), index));
}

function readEntry(entry: JsonObject, index: number): Tool[] {
  const { functionDeclarations, ...others } = entry as ToolFields;
  const place = { [GEMINI]: String(index) };
  if (functionDeclarations !== undefined && (!Array.isArray(functionDeclarations) || functionDeclarations.length === 0))
    return [{ type: 'provider', name: 'tools', form: place, ext: { [GEMINI]: entry } }];
  const functions = (functionDeclarations ?? []).map((declaration, i) =>
    readDeclaration(asObject(declaration, `tools[${index}].functionDeclarations[${i}]`), index),
  );
  const provided = Object.entries(others).map(([name, settings]): Tool => {
    return { type: 'provider', name, form: place, ext: { [GEMINI]: { [name]: settings as Json } } };
  });
  const empty = functions.length + provided.length === 0;
  return empty
    ? [{ type: 'provider', name: 'tools', form: place, ext: { [GEMINI]: entry } }]
    : [...functions, ...provided];
}

function readDeclaration(native: DeclarationFields, entry: number): Tool {
  const { name, description, parameters, parametersJsonSchema, response, responseJsonSchema, behavior, ...rest } =
    native;
  const older = parametersJsonSchema === undefined && parameters !== undefined;
  const schema = older ? toJsonSchema(parameters as Json) : (parametersJsonSchema as Json | undefined);
  // The API's own spelling comes back as long as it says the same.
  const spelled = older ? ` parameters ${equal(schema, parameters) ? '' : JSON.stringify(parameters)}` : '';
  return {
    type: 'function',
    name: asString(name, 'functionDeclarations[].name'),
    description,
    schema,
    form: { [GEMINI]: `${entry}${spelled}` },
    ext: residual(GEMINI, rest, {
      response,
      responseJsonSchema,
      behavior,
      parameters: older ? undefined : parameters,
    }),
  };
}

/** Functions share one entry, unless they came in several. */
export function writeTools(tools: readonly Tool[], lose: Lose): JsonObject[] {
  const entries = new Map<string, JsonObject>();
  for (const tool of tools) {
    const native = writeTool(tool, lose);
    if (native === undefined) continue;
    const place = tool.form?.[GEMINI]?.split(' ', 1)[0] ?? (tool.type === 'provider' ? tool.name : FUNCTIONS);
    const entry = entries.get(place) ?? {};
    entries.set(place, { ...entry, ...native, ...together(entry, native) });
  }
  return [...entries.values()];
}

const FUNCTIONS = 'functions';

function together(entry: JsonObject, native: JsonObject): JsonObject {
  if (native.functionDeclarations === undefined || entry.functionDeclarations === undefined) return {};
  return {
    functionDeclarations: [...(entry.functionDeclarations as Json[]), ...(native.functionDeclarations as Json[])],
  };
}

function writeTool(tool: Tool, lose: Lose): JsonObject | undefined {
  const kept = own(tool.ext, GEMINI);
  if (tool.type === 'provider') {
    if (kept === undefined) lose(`tools: ${tool.name}`, 'only its own provider can run it');
    return kept;
  }
  if (tool.cache) lose('tools: cache_control', 'tools have no breakpoints');
  if (tool.strict) lose('tools: strict', 'the API has no strict mode for a single tool');
  const { name, description } = tool;
  const about = { ...kept, name, ...(description !== undefined && { description }) };
  return { functionDeclarations: [{ ...about, ...writeSchema(tool) }] };
}

function writeSchema(tool: Tool): JsonObject | undefined {
  const schema = tool.type === 'custom' ? FREE_TEXT : tool.schema;
  if (schema === undefined) return undefined;
  const [, field, ...rest] = tool.form?.[GEMINI]?.split(' ') ?? [];
  if (field !== 'parameters') return { parametersJsonSchema: schema };
  const original = rest.join(' ');
  const parameters = original === '' ? schema : (JSON.parse(original) as Json);
  return equal(toJsonSchema(parameters), schema) ? { parameters } : { parametersJsonSchema: schema };
}

/** A custom tool of OpenAI takes text; here it takes an object with that text. */
const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

const MODES: { readonly [mode: string]: ToolChoice['mode'] } = { AUTO: 'auto', ANY: 'required', NONE: 'none' };

/** The choice, and what else the configuration of the tools says. */
export function readToolConfig(native: unknown): { choice?: ToolChoice; rest?: JsonObject } {
  if (!isObject(native)) return {};
  const { functionCallingConfig, ...others }: ToolConfigFields = native;
  const left = others as JsonObject;
  if (!isObject(functionCallingConfig))
    return {
      rest: {
        ...left,
        ...(functionCallingConfig !== undefined && { functionCallingConfig: functionCallingConfig as Json }),
      },
    };
  const { mode, allowedFunctionNames, ...more }: CallingFields = functionCallingConfig;
  const known = lookup(MODES, mode);
  const names = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : undefined;
  if (names?.some((name) => typeof name !== 'string'))
    throw new ShapeError('allowedFunctionNames', 'a list of names', allowedFunctionNames);
  const kept = { ...(more as JsonObject), ...(known === undefined && mode !== undefined && { mode }) };
  const form = mode === undefined ? { [GEMINI]: 'absent' } : undefined;
  const choice: ToolChoice = { mode: known ?? 'auto', names, form, ext: { [GEMINI]: kept } };
  return { choice, rest: Object.keys(left).length > 0 ? left : undefined };
}

/** Only functions can be chosen among, and only where a call is required can it be some of them. */
export function writeToolConfig(head: Head, rest: JsonObject | undefined, lose: Lose): JsonObject | undefined {
  const calling = writeCalling(head, lose);
  return calling === undefined && rest === undefined
    ? undefined
    : { ...rest, ...(calling && { functionCallingConfig: calling }) };
}

function writeCalling({ toolChoice: choice, tools }: Head, lose: Lose): JsonObject | undefined {
  if (choice === undefined) return undefined;
  const kept = own(choice.ext, GEMINI);
  if (kept === undefined && !tools?.some(({ type }) => type !== 'provider')) {
    if (choice.mode !== 'auto') lose('tool_choice', 'there are no functions to choose from');
    return undefined;
  }
  const { mode: word, ...more } = kept ?? {};
  const { names } = choice;
  const absent = choice.form?.[GEMINI] === 'absent' && choice.mode === 'auto';
  const mode = absent ? {} : { mode: choice.mode === 'auto' ? (word ?? 'AUTO') : WORDS[choice.mode] };
  const some = names !== undefined && (kept !== undefined || choice.mode === 'required');
  if (names && !some) lose('tool_choice', 'some of the functions can only be required');
  return { ...more, ...mode, ...(some && { allowedFunctionNames: [...names] }) };
}

const WORDS = { required: 'ANY', none: 'NONE' } as const;
