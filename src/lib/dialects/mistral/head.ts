// The request body without its messages: https://docs.mistral.ai/api/endpoint/chat

import type { Head, Lose, Message, ResponseFormat, ToolChoice } from '../../conversation/types.ts';
import { asArray, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { eligible, NO_INPUT, readTools, writeTools } from '../chat/tools.ts';
import { present } from '../codec/fields.ts';
import { parametersOf, passedOn, sayUnknown } from '../codec/parameters.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { MISTRAL } from './name.ts';
import type { BodyFields, JsonSchemaFields, ResponseFormatFields } from './types.ts';

export function readHead(native: JsonObject): Request {
  const { messages: _m, model, tools, tool_choice, parallel_tool_calls, stream, _meta, ...more } = native as BodyFields;
  const { temperature, top_p, max_tokens, stop, random_seed, n, presence_penalty, frequency_penalty, ...others } = more;
  const { response_format, reasoning_effort, metadata, service_tier, ...last } = others;
  const { guardrails, prediction, prompt_cache_key, prompt_mode, safe_prompt, ...rest } = last;
  const kept = { guardrails, prediction, prompt_cache_key, prompt_mode, safe_prompt };
  const responseFormat = readFormat(response_format);
  const toolChoice = readToolChoice(tool_choice);
  const unread = {
    stop: stop === null ? stop : undefined,
    tools: tools === null ? tools : undefined,
    response_format: responseFormat === undefined ? response_format : undefined,
    tool_choice: toolChoice === undefined ? tool_choice : undefined,
  };
  const head: Head = {
    model,
    maxTokens: max_tokens,
    tools: readTools(tools, MISTRAL),
    toolChoice,
    parallelToolCalls: parallel_tool_calls,
    temperature,
    topP: top_p,
    stop: typeof stop === 'string' ? [stop] : Array.isArray(stop) ? asArray(stop, 'stop') : undefined,
    seed: random_seed,
    presencePenalty: presence_penalty,
    frequencyPenalty: frequency_penalty,
    candidates: n,
    responseFormat,
    reasoning: reasoning_effort === undefined ? undefined : { effort: reasoning_effort },
    stream,
    metadata,
    serviceTier: service_tier,
    extra: passedOn(rest),
    ext: residual(MISTRAL, {}, { ...kept, ...unread, ...parametersOf(rest) }),
    form: { [MISTRAL]: typeof stop === 'string' ? 'stop' : '' },
    meta: _meta as JsonObject,
  };
  return { head, messages: [] };
}

/** undefined for a shape that the view does not take up. */
function readFormat(native: unknown): ResponseFormat | undefined {
  if (!isObject(native)) return undefined;
  const { type, json_schema, ...rest } = native as ResponseFormatFields;
  const ext = residual(MISTRAL, rest, { json_schema: type === 'json_schema' ? undefined : json_schema });
  if (type === 'text') return { type, ext };
  if (type === 'json_object') return { type: 'json', ext };
  if (type !== 'json_schema' || !isObject(json_schema)) return undefined;
  const { name, description, schema, strict, ...more } = json_schema as JsonSchemaFields;
  const inner = residual(MISTRAL, more, { description: description === null ? null : undefined })?.[MISTRAL];
  const about = { name, description: description ?? undefined, schema: schema as Json, strict };
  return { type: 'schema', ...about, ext: residual(MISTRAL, rest, { json_schema: inner }) };
}

function readToolChoice(native: unknown): ToolChoice | undefined {
  if (native === 'auto' || native === 'none' || native === 'required') return { mode: native };
  if (native === 'any') return { mode: 'required', form: ANY };
  if (!isObject(native) || !isObject(native.function) || typeof native.function.name !== 'string') return undefined;
  return { mode: 'required', names: [native.function.name], ext: { [MISTRAL]: { tool_choice: native } } };
}

const ANY = { [MISTRAL]: 'any' };

/** System messages stay among the messages. */
export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const kept = own(head.ext, MISTRAL);
  const { reasoning, topK: top_k, user } = head;
  sayUnknown({ top_k, user, cache_control: head.cache }, lose);
  if (reasoning?.budget !== undefined) lose('thinking.budget_tokens', 'the API takes an effort, not a budget');
  if (reasoning?.mode !== undefined && reasoning.effort === undefined) lose('thinking', 'the API takes an effort');
  const form = head.form?.[MISTRAL];
  const tools = writeTools(eligible(head, true, lose), MISTRAL, { strict: true, noInput: NO_INPUT }, lose);
  const native = present(
    {
      ...head.extra,
      ...kept,
      model: head.model,
      max_tokens: head.maxTokens,
      tools: form === undefined && tools?.length === 0 ? undefined : tools,
      tool_choice: form === undefined && !tools?.length ? sayNoTools(head, lose) : writeToolChoice(head.toolChoice),
      parallel_tool_calls: head.parallelToolCalls,
      temperature: head.temperature,
      top_p: head.topP,
      stop: head.stop && (form === 'stop' && head.stop.length === 1 ? head.stop[0] : [...head.stop]),
      random_seed: head.seed,
      presence_penalty: head.presencePenalty,
      frequency_penalty: head.frequencyPenalty,
      n: head.candidates,
      response_format: writeFormat(head.responseFormat),
      reasoning_effort: reasoning?.effort,
      stream: head.stream,
      metadata: head.metadata,
      service_tier: head.serviceTier,
      _meta: head.meta,
    },
    kept,
  );
  return { native, rest: system };
}

/** A choice without tools is refused. */
function sayNoTools({ toolChoice }: Head, lose: Lose): undefined {
  if (toolChoice !== undefined) lose('tool_choice', 'no tools are declared');
}

/** The object itself comes back as long as it says what the view says. */
function writeToolChoice(choice: ToolChoice | undefined): Json | undefined {
  if (choice === undefined) return undefined;
  const [name, other] = choice.names ?? [];
  if (choice.mode === 'required' && name !== undefined && other === undefined) {
    const before = own(choice.ext, MISTRAL)?.tool_choice;
    if (before !== undefined && readToolChoice(before)?.names?.[0] === name) return before;
    return { type: 'function', function: { name } };
  }
  return choice.mode === 'required' && choice.form?.[MISTRAL] === 'any' ? 'any' : choice.mode;
}

function writeFormat(format: ResponseFormat | undefined): JsonObject | undefined {
  if (format === undefined) return undefined;
  const { json_schema, ...kept } = own(format.ext, MISTRAL) ?? {};
  if (format.type !== 'schema')
    return { ...own(format.ext, MISTRAL), type: format.type === 'json' ? 'json_object' : 'text' };
  const { name = 'response', description, schema, strict } = format;
  const about = {
    name,
    ...(description !== undefined && { description }),
    schema,
    ...(strict !== undefined && { strict }),
  };
  return { ...kept, type: 'json_schema', json_schema: { ...(json_schema as JsonObject), ...about } };
}
