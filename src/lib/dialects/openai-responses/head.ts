// The request body without its items: https://platform.openai.com/docs/api-reference/responses/create

import type { Head, Lose, Message, Reasoning, ResponseFormat } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { chosenFrom, tierFor } from '../codec/head-fields.ts';
import { parametersOf, passedOn } from '../codec/parameters.ts';
import { ifNull, own, residual } from '../codec/residual.ts';
import { sharedFields } from '../openai/shared.ts';
import type { Request } from '../types.ts';
import { RESPONSES } from './name.ts';
import { readToolChoice, readTools, writeToolChoice, writeTools } from './tools.ts';
import type { BodyFields, ReasoningFields, TextFields, TextFormatFields } from './types.ts';

export function readHead(native: JsonObject): Request {
  const { input: _i, model, tools, tool_choice, parallel_tool_calls, stream, _meta, ...more } = native as BodyFields;
  const { instructions, max_output_tokens, temperature, top_p, text, reasoning, ...others } = more;
  const { metadata, service_tier, user, safety_identifier, ...rest } = others;
  const [format, textLeft] = readText(text);
  const older = safety_identifier === undefined && user !== undefined;
  const head: Head = {
    model,
    maxTokens: max_output_tokens,
    tools: readTools(tools),
    toolChoice: readToolChoice(tool_choice),
    parallelToolCalls: parallel_tool_calls ?? undefined,
    temperature,
    topP: top_p,
    stream,
    metadata,
    serviceTier: service_tier,
    user: older ? user : safety_identifier,
    responseFormat: format,
    reasoning: readReasoning(reasoning),
    ...readRest(rest, {
      instructions: typeof instructions === 'string' ? undefined : instructions,
      user: older ? undefined : user,
      tools: ifNull(tools),
      tool_choice: ifNull(tool_choice),
      parallel_tool_calls: ifNull(parallel_tool_calls),
      reasoning: ifNull(reasoning),
      text: textLeft,
    }),
    form: older ? USER : undefined,
    meta: _meta as JsonObject,
  };
  return { head, messages: typeof instructions === 'string' ? [instruction(instructions)] : [] };
}

const USER = { [RESPONSES]: 'user' };

const instruction = (text: string): Message => ({
  role: 'system',
  parts: [{ type: 'text', text }],
  form: INSTRUCTIONS,
});
const INSTRUCTIONS = { [RESPONSES]: 'instructions' };

type Rest = Omit<
  BodyFields,
  | ('input' | 'model' | 'tools' | 'tool_choice' | 'parallel_tool_calls' | 'stream' | '_meta' | 'instructions')
  | ('max_output_tokens' | 'temperature' | 'top_p' | 'text' | 'reasoning' | 'metadata' | 'service_tier' | 'user')
  | 'safety_identifier'
>;

/** Fields that this API alone has, and those that no API has. */
function readRest(fields: Rest, unread: JsonObject): Pick<Head, 'ext' | 'extra'> {
  const { access_programs, background, context_management, conversation, image, include, ...more } = fields;
  const { max_tool_calls, moderation, previous_response_id, prompt, prompt_cache_key, ...cache } = more;
  const { prompt_cache_options, prompt_cache_retention, store, stream_options, top_logprobs, truncation, ...rest } =
    cache;
  const kept = { access_programs, background, context_management, conversation, image, include, max_tool_calls };
  const state = { moderation, previous_response_id, prompt, prompt_cache_key, prompt_cache_options };
  const last = { prompt_cache_retention, store, stream_options, top_logprobs, truncation };
  return {
    extra: passedOn(rest),
    ext: residual(RESPONSES, {}, { ...kept, ...state, ...last, ...parametersOf(rest), ...unread }),
  };
}

/** The format, and what else `text` holds. */
function readText(native: unknown): [ResponseFormat | undefined, Json | undefined] {
  if (!isObject(native)) return [undefined, native as Json | undefined];
  const { format, ...others }: TextFields = native;
  const read = readFormat(format);
  const left = { ...others, ...(read === undefined && format !== undefined && { format }) } as JsonObject;
  return [read, Object.keys(left).length > 0 || read === undefined ? left : undefined];
}

function readFormat(native: unknown): ResponseFormat | undefined {
  if (!isObject(native)) return undefined;
  const { type, name, description, schema, strict, ...rest }: TextFormatFields = native;
  const ext = residual(RESPONSES, rest);
  if (type === 'text') return { type, ext };
  if (type === 'json_object') return { type: 'json', ext };
  return type === 'json_schema'
    ? { type: 'schema', name, description, schema: schema as Json, strict, ext }
    : undefined;
}

function readReasoning(native: unknown): Reasoning | undefined {
  if (!isObject(native)) return undefined;
  const { effort, summary, generate_summary, context, mode, ...rest }: ReasoningFields = native;
  const ext = residual(RESPONSES, rest, { summary, generate_summary, context, mode }) ?? { [RESPONSES]: {} };
  return { effort, ext };
}

/** The first system message becomes the instructions, if it is plain text; the others stay items. */
export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const instructions = system[0] && (asksForJson(head, system[0]) ? undefined : textOf(system[0]));
  const kept = own(head.ext, RESPONSES) ?? {};
  const { text: textLeft, ...others } = kept;
  sayUnknown(head, lose);
  const { tools, toolChoice, parallelToolCalls } = chosenFrom(head, head.tools && writeTools(head.tools, lose));
  const native = {
    ...head.extra,
    ...sharedFields(own(head.ext, 'openai')),
    ...others,
    ...present({
      model: head.model,
      instructions,
      max_output_tokens: head.maxTokens,
      tools,
      tool_choice: writeToolChoice({ ...head, toolChoice }),
      parallel_tool_calls: parallelToolCalls,
      temperature: head.temperature,
      top_p: head.topP,
      text: writeText(head, textLeft),
      reasoning: writeReasoning(head.reasoning, lose),
      stream: head.stream,
      [head.form?.[RESPONSES] === 'user' ? 'user' : 'safety_identifier']: head.user,
      metadata: head.metadata,
      service_tier: tierFor('openai', head, lose),
      _meta: head.meta,
    }),
  };
  return { native, rest: instructions === undefined ? system : system.slice(1) };
}

/**
 * `Response input messages must contain the word 'json'`: instructions do not count, an item does.
 * https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/openai.py
 */
const asksForJson = ({ responseFormat }: Head, system: Message): boolean =>
  responseFormat?.type === 'json' && system.form?.[RESPONSES] !== 'instructions' && /json/i.test(textOf(system) ?? '');

/** The text of a system message that says nothing else. */
function textOf({ role, parts, form }: Message): string | undefined {
  const [part] = parts;
  // Another's developer is spoken of as the instructions; an item of this API's own stays one.
  const instructs = role === 'system' || (role === 'developer' && form?.[RESPONSES] === undefined);
  if (!instructs || parts.length !== 1 || part?.type !== 'text' || part.cache) return undefined;
  return part.text;
}

function sayUnknown(head: Head, lose: Lose): void {
  const unknown = {
    top_k: head.topK,
    stop: head.stop,
    seed: head.seed,
    presence_penalty: head.presencePenalty,
    frequency_penalty: head.frequencyPenalty,
    n: head.candidates,
  };
  for (const [name, value] of Object.entries(unknown))
    if (value !== undefined && value !== null) lose(name, 'the API has no such parameter');
  if (head.cache) lose('cache_control', 'the API caches automatically');
}

function present(fields: { readonly [field: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function writeText(head: Head, left: Json | undefined): Json | undefined {
  const { verbosity } = own(head.ext, 'openai') ?? {};
  const format = writeFormat(head.responseFormat);
  if (format === undefined && verbosity === undefined) return left;
  return { ...(verbosity !== undefined && { verbosity }), ...(left as JsonObject), ...(format && { format }) };
}

function writeFormat(format: ResponseFormat | undefined): JsonObject | undefined {
  if (format === undefined) return undefined;
  const kept = own(format.ext, RESPONSES);
  if (format.type === 'text') return { ...kept, type: 'text' };
  if (format.type === 'json') return { ...kept, type: 'json_object' };
  const { name = 'response', description, schema, strict } = format;
  return { ...kept, type: 'json_schema', ...present({ name, description, schema, strict }) };
}

function writeReasoning(reasoning: Reasoning | undefined, lose: Lose): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  const kept = own(reasoning.ext, RESPONSES);
  if (reasoning.budget !== undefined) lose('thinking.budget_tokens', 'the API takes an effort, not a budget');
  else if (reasoning.mode !== undefined && !reasoning.effort) lose('thinking', 'the API takes an effort');
  if (kept === undefined && reasoning.effort === undefined) return undefined;
  return { ...kept, ...(reasoning.effort !== undefined && { effort: reasoning.effort }) };
}
