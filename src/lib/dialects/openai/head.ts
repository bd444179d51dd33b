// The request body without its messages: https://platform.openai.com/docs/api-reference/chat/create

import type { Head, Lose, Message, ResponseFormat } from '../../conversation/types.ts';
import { asArray, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { chosenFrom, tierFor } from '../codec/head-fields.ts';
import { parametersOf, passedOn } from '../codec/parameters.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { inOwnWords } from './foreign.ts';
import { OPENAI } from './name.ts';
import { sharedFields } from './shared.ts';
import { readToolChoice, readTools, writeToolChoice, writeTools } from './tools.ts';
import type { BodyFields, ResponseFormatFields } from './types.ts';

export function readHead(native: JsonObject): Request {
  const { messages: _m, model, tools, tool_choice, parallel_tool_calls, stream, _meta, ...more } = native as BodyFields;
  const { max_completion_tokens, max_tokens, response_format, reasoning_effort, ...sampled } = more;
  const { metadata, service_tier, user, safety_identifier, ...others } = sampled;
  const [sampling, rest] = readSampling(others);
  const format = readFormat(response_format);
  const newer = max_completion_tokens !== undefined;
  const older = { ...(newer && { max_tokens }), ...(safety_identifier !== undefined && { user }) };
  const head: Head = {
    ...sampling,
    model,
    maxTokens: newer ? max_completion_tokens : max_tokens,
    tools: readTools(tools),
    toolChoice: readToolChoice(tool_choice),
    parallelToolCalls: parallel_tool_calls,
    responseFormat: format,
    reasoning: reasoning_effort === undefined ? undefined : { effort: reasoning_effort },
    stream,
    user: safety_identifier === undefined ? user : safety_identifier,
    metadata,
    serviceTier: service_tier,
    ...readRest(rest, { ...older, ...unread(native, format) }),
    form: formsOf(native),
    meta: _meta as JsonObject,
  };
  return { head, messages: [] };
}

type Sampled = Omit<
  BodyFields,
  | (
      | 'messages'
      | 'model'
      | 'tools'
      | 'tool_choice'
      | 'parallel_tool_calls'
      | 'stream'
      | '_meta'
      | 'max_completion_tokens'
    )
  | ('max_tokens' | 'response_format' | 'reasoning_effort' | 'metadata' | 'service_tier' | 'user' | 'safety_identifier')
>;

/** The sampling parameters, and what is left. */
function readSampling(fields: Sampled) {
  const { temperature, top_p, stop, seed, n, presence_penalty, frequency_penalty, ...rest } = fields;
  const sampling: Head = {
    temperature,
    topP: top_p,
    stop: typeof stop === 'string' ? [stop] : Array.isArray(stop) ? asArray(stop, 'stop') : undefined,
    seed,
    candidates: n,
    presencePenalty: presence_penalty,
    frequencyPenalty: frequency_penalty,
  };
  return [sampling, rest] as const;
}

/** Fields that this API alone has, and those that no API has. */
function readRest(fields: ReturnType<typeof readSampling>[1], unread: JsonObject): Pick<Head, 'ext' | 'extra'> {
  const { audio, function_call, functions, logit_bias, logprobs, modalities, moderation, prediction, ...more } = fields;
  const { prompt_cache_key, prompt_cache_options, prompt_cache_retention, store, stream_options, ...last } = more;
  const { top_logprobs, verbosity, web_search_options, ...rest } = last;
  const kept = { audio, function_call, functions, logit_bias, logprobs, modalities, moderation, prediction };
  const cached = { prompt_cache_key, prompt_cache_options, prompt_cache_retention, store, stream_options };
  const own = { ...kept, ...cached, top_logprobs, verbosity, web_search_options, ...parametersOf(rest), ...unread };
  return { extra: passedOn(rest), ext: residual(OPENAI, {}, own) };
}

/** Nulls, and shapes that the view does not take up. */
function unread(native: JsonObject, format: ResponseFormat | undefined): JsonObject {
  const { stop, response_format, tools, tool_choice } = native;
  return {
    ...(stop === null && { stop }),
    ...(response_format !== undefined && format === undefined && { response_format }),
    ...(tools === null && { tools }),
    ...(tool_choice === null && { tool_choice }),
  };
}

/** That it is a head of this API; the older of two names; a stop that is no list. */
function formsOf(native: JsonObject): { readonly [format: string]: string } {
  const words = [
    'own',
    'max_tokens' in native && !('max_completion_tokens' in native) ? 'max_tokens' : '',
    'user' in native && !('safety_identifier' in native) ? 'user' : '',
    typeof native.stop === 'string' ? 'stop' : '',
  ];
  return { [OPENAI]: words.join(' ') };
}

function readFormat(native: unknown): ResponseFormat | undefined {
  if (!isObject(native)) return undefined;
  const { type, json_schema, ...rest }: ResponseFormatFields = native;
  const ext = residual(OPENAI, rest);
  if (type === 'text') return { type, ext };
  if (type === 'json_object') return { type: 'json', ext };
  if (type !== 'json_schema' || !isObject(json_schema)) return undefined;
  const { name, description, schema, strict, ...more } = json_schema as JsonObject;
  const kept = residual(OPENAI, rest, { json_schema: Object.keys(more).length > 0 ? more : undefined });
  return {
    type: 'schema',
    name: name as string,
    description: description as string,
    schema,
    strict: strict as boolean,
    ext: kept,
  };
}

/** System messages stay among the messages. */
export function writeHead(
  given: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const head = inOwnWords(given, lose);
  const form = head.form?.[OPENAI]?.split(' ') ?? [];
  const responses = own(head.ext, 'openai-responses');
  const stop = head.stop && (form.includes('stop') && head.stop.length === 1 ? head.stop[0] : [...head.stop]);
  const { tools, toolChoice, parallelToolCalls } = chosenFrom(head, head.tools && writeTools(head.tools, lose));
  const native = present(
    {
      ...head.extra,
      ...sharedFields(responses),
      verbosity: isObject(responses?.text) ? responses.text.verbosity : undefined,
      ...own(head.ext, OPENAI),
      model: head.model,
      [form.includes('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: head.maxTokens,
      tools,
      tool_choice: writeToolChoice({ ...head, toolChoice }),
      parallel_tool_calls: parallelToolCalls,
      temperature: head.temperature,
      top_p: head.topP,
      stop,
      seed: head.seed,
      n: head.candidates,
      presence_penalty: head.presencePenalty,
      frequency_penalty: head.frequencyPenalty,
      response_format: writeFormat(head.responseFormat),
      reasoning_effort: head.reasoning?.effort,
      stream: head.stream,
      [form.includes('user') ? 'user' : 'safety_identifier']: head.user,
      metadata: head.metadata,
      service_tier: tierFor('openai', head, lose),
      _meta: head.meta,
    },
    own(head.ext, OPENAI),
  );
  return { native, rest: system };
}

/** Fields with a value; where the view has none, what the residual says. */
function present(fields: { readonly [field: string]: Json | undefined }, kept: JsonObject | undefined): JsonObject {
  const entries = Object.entries(fields).map(([key, value]) => [key, value === undefined ? kept?.[key] : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function writeFormat(format: ResponseFormat | undefined): JsonObject | undefined {
  if (format === undefined) return undefined;
  const { json_schema, ...kept } = own(format.ext, OPENAI) ?? {};
  if (format.type === 'text') return { ...kept, type: 'text' };
  if (format.type === 'json') return { ...kept, type: 'json_object' };
  const { name = 'response', description, schema, strict } = format;
  const about = {
    name,
    ...(description !== undefined && { description }),
    schema,
    ...(strict !== undefined && { strict }),
  };
  return { ...kept, type: 'json_schema', json_schema: { ...(json_schema as JsonObject), ...about } };
}
