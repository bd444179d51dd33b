// The request body without its messages: https://docs.cohere.com/v2/reference/chat

import type { Head, Lose, Message, Reasoning, ResponseFormat, Tool, ToolChoice } from '../../conversation/types.ts';
import { asArray, isObject, type JsonObject } from '../../json/values.ts';
import { eligible, readTools, writeTools } from '../chat/tools.ts';
import { lookup, optional, present } from '../codec/fields.ts';
import { beyondDefaults, parametersOf, passedOn, sayUnknown } from '../codec/parameters.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { COHERE } from './name.ts';
import type { BodyFields, ResponseFormatFields, ThinkingFields } from './types.ts';

export function readHead(native: JsonObject): Request {
  const { messages: _m, model, tools, tool_choice, strict_tools, stream, _meta, ...more } = native as BodyFields;
  const { temperature, p, k, max_tokens, stop_sequences, seed, frequency_penalty, presence_penalty, ...others } = more;
  const { response_format, thinking, citation_options, documents, logprobs, priority, safety_mode, ...rest } = others;
  const kept = { citation_options, documents, logprobs, priority, safety_mode };
  const responseFormat = readFormat(response_format);
  const choice = lookup(CHOICES, tool_choice);
  const defined = readTools(tools, COHERE);
  const strict = strict_tools === true && defined !== undefined && defined.length > 0;
  const unread = {
    tools: tools === null ? tools : undefined,
    tool_choice: choice ? undefined : tool_choice,
    strict_tools: strict ? undefined : strict_tools,
    stop_sequences: stop_sequences === null ? stop_sequences : undefined,
    response_format: responseFormat ? undefined : response_format,
    thinking: isObject(thinking) ? undefined : thinking,
  };
  const head: Head = {
    model,
    maxTokens: max_tokens,
    tools: strict ? defined.map((tool) => ({ ...tool, strict })) : defined,
    toolChoice: choice,
    temperature,
    topP: p,
    topK: k,
    stop: stop_sequences ? asArray(stop_sequences, 'stop_sequences') : undefined,
    seed,
    presencePenalty: presence_penalty,
    frequencyPenalty: frequency_penalty,
    responseFormat,
    reasoning: readThinking(thinking),
    stream,
    extra: passedOn(rest),
    ext: residual(COHERE, {}, { ...kept, ...unread, ...parametersOf(rest) }),
    meta: _meta as JsonObject,
  };
  return { head, messages: [] };
}

const OWN = { [COHERE]: 'own' };
const CHOICES: { readonly [choice: string]: ToolChoice } = {
  REQUIRED: { mode: 'required', form: OWN },
  NONE: { mode: 'none', form: OWN },
};

function readFormat(native: unknown): ResponseFormat | undefined {
  if (!isObject(native)) return undefined;
  const { type, json_schema, ...rest } = native as ResponseFormatFields;
  if (type === 'text') return { type, ext: residual(COHERE, rest, { json_schema }) };
  if (type !== 'json_object') return undefined;
  if (!isObject(json_schema)) return { type: 'json', ext: residual(COHERE, rest, { json_schema }) };
  return { type: 'schema', schema: json_schema, ext: residual(COHERE, rest) };
}

function readThinking(native: unknown): Reasoning | undefined {
  if (!isObject(native)) return undefined;
  const { type, token_budget, ...rest } = native as ThinkingFields;
  const mode = type === 'enabled' ? 'on' : type === 'disabled' ? 'off' : undefined;
  const budget = typeof token_budget === 'number' ? token_budget : undefined;
  const kept = { type: mode ? undefined : type, token_budget: budget === undefined ? token_budget : undefined };
  return { mode, budget, ext: residual(COHERE, rest, kept) };
}

/** System messages stay among the messages. */
export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const kept = own(head.ext, COHERE);
  const { user, metadata, cache } = head;
  sayUnknown({ user, metadata, cache_control: cache, ...beyondDefaults(head) }, lose);
  const tools = eligible(head, false, lose);
  const strict = tools !== undefined && tools.length > 0 && tools.every((tool) => tool.strict === true);
  if (!strict && tools?.some((tool) => tool.strict)) lose('tools: strict', 'either all tools are strict, or none');
  const native = present(
    {
      ...head.extra,
      ...kept,
      model: head.model,
      max_tokens: head.maxTokens,
      tools: writeTools(tools?.map(plain), COHERE, { strict: false }, lose),
      strict_tools: strict ? true : undefined,
      tool_choice: writeToolChoice(head, lose),
      temperature: head.temperature,
      p: head.topP,
      k: head.topK,
      stop_sequences: head.stop && [...head.stop],
      seed: head.seed,
      presence_penalty: head.presencePenalty,
      frequency_penalty: head.frequencyPenalty,
      response_format: writeFormat(head.responseFormat, lose),
      thinking: writeThinking(head.reasoning, lose),
      stream: head.stream,
      _meta: head.meta,
    },
    kept,
  );
  return { native, rest: system };
}

/** Strictness is the request's, not the tool's. */
const plain = (tool: Tool): Tool => (tool.strict === undefined ? tool : { ...tool, strict: undefined });

function writeToolChoice({ toolChoice, tools = [] }: Head, lose: Lose): string | undefined {
  if (toolChoice === undefined || toolChoice.mode === 'auto') return undefined;
  if (tools.length > 0 || toolChoice.form?.[COHERE]) return toolChoice.mode === 'none' ? 'NONE' : 'REQUIRED';
  lose('tool_choice', 'no tools are declared');
  return undefined;
}

function writeFormat(format: ResponseFormat | undefined, lose: Lose): JsonObject | undefined {
  if (format === undefined) return undefined;
  const kept = own(format.ext, COHERE);
  if (format.type === 'text') return { ...kept, type: 'text' };
  if (format.name !== undefined) lose('response_format.name', 'a format consists only of a schema');
  if (format.description !== undefined) lose('response_format.description', 'a format consists only of a schema');
  const schema = format.type === 'schema' ? { json_schema: format.schema } : undefined;
  return { ...kept, type: 'json_object', ...schema };
}

/** Thinking is on by default where a model can; an effort says no more than that it is. */
function writeThinking(reasoning: Reasoning | undefined, lose: Lose): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  const { mode, effort, budget, ext } = reasoning;
  const off = mode === 'off' || effort === 'none';
  if (typeof effort === 'string' && effort !== 'none')
    lose('reasoning_effort', 'the API takes a budget, not an effort');
  // A budget alone is for thinking, and the API wants that said.
  const kept = own(ext, COHERE);
  const silent = mode === undefined && effort === undefined && (budget === undefined || kept?.type !== undefined);
  const type = silent ? undefined : off ? 'disabled' : 'enabled';
  return optional({
    ...kept,
    ...(type && { type }),
    ...(budget !== undefined && { token_budget: budget }),
  });
}
