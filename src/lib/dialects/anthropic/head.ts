// The request body without its messages: https://platform.claude.com/docs/en/api/messages/create

import type { Head, Lose, Message, Reasoning, ResponseFormat } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { chosenFrom, tierFor } from '../codec/head-fields.ts';
import { parametersOf, passedOn } from '../codec/parameters.ts';
import { ifNull, own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { readCache, writeCache } from './cache.ts';
import { inOwnWords } from './foreign.ts';
import { ANTHROPIC } from './name.ts';
import { formOf, readContent } from './read-blocks.ts';
import { readToolChoice, readTools, writeToolChoice, writeTools } from './tools.ts';
import type { BodyFields, OutputConfigFields, OutputFormatFields, ThinkingFields } from './types.ts';
import { optional, writeInner } from './write-blocks.ts';

export function readHead(native: JsonObject): Request {
  const {
    messages: _m,
    model,
    max_tokens,
    system,
    tools,
    tool_choice,
    ...sampling
  } = native as BodyFields & { _meta?: JsonObject };
  const { temperature, top_p, top_k, stop_sequences, stream, metadata, service_tier, ...control } = sampling;
  const { cache_control, thinking, output_config, output_format, _meta, ...own } = control;
  const { container, context_management, mcp_servers, betas, anthropic_version, anthropic_beta, ...newer } = own;
  const { diagnostics, inference_geo, speed, user_profile_id, workspace_id, billing_policy, ...beta } = newer;
  const { compaction, fallback_credit_token, fallbacks, thread, ...rest } = beta;
  const cache = readCache(cache_control);
  const [user, others] = readMetadata(metadata);
  const kept = { container, context_management, mcp_servers, betas, anthropic_version, anthropic_beta, diagnostics };
  const account = { inference_geo, speed, user_profile_id, workspace_id, billing_policy };
  const more = { ...account, compaction, fallback_credit_token, fallbacks, thread };
  const unread = { cache_control: cache ? undefined : cache_control, metadata: user === undefined ? metadata : others };
  const [format, effort, config] = readOutput(output_config, output_format);
  const ext = residual(
    ANTHROPIC,
    {},
    { ...kept, ...more, ...unread, ...config, stop_sequences: ifNull(stop_sequences), ...parametersOf(rest) },
  );
  const head: Head = {
    model,
    maxTokens: max_tokens,
    tools: readTools(tools),
    ...readToolChoice(tool_choice),
    temperature,
    topP: top_p,
    topK: top_k,
    stop: stop_sequences ? asArray(stop_sequences, 'stop_sequences') : undefined,
    stream,
    user,
    serviceTier: service_tier,
    responseFormat: format,
    reasoning: readThinking(thinking, effort),
    cache,
    extra: passedOn(rest),
    ext,
    form: OWN,
    meta: _meta,
  };
  return { head, messages: readSystem(system) };
}

/** Tells a head of this API from one of another. */
const OWN = { [ANTHROPIC]: '' };

function readSystem(system: unknown): Message[] {
  if (system === undefined) return [];
  const content = typeof system === 'string' ? system : asArray(system, 'system');
  return [{ role: 'system', parts: readContent(content), form: formOf(content) }];
}

function readMetadata(metadata: unknown): [string | undefined, JsonObject | undefined] {
  if (!isObject(metadata) || typeof metadata.user_id !== 'string') return [undefined, undefined];
  const { user_id, ...others } = metadata;
  return [user_id, Object.keys(others).length > 0 ? others : undefined];
}

type Output = [ResponseFormat | undefined, string | null | undefined, { readonly [field: string]: unknown }];

/** Format and effort; what else `output_config` holds, or the older `output_format`, stays in the residual. */
function readOutput(config: unknown, older: unknown): Output {
  if (config === undefined && older === undefined) return [undefined, undefined, {}];
  if (config === undefined || config === null)
    return [undefined, undefined, { output_config: config, output_format: older }];
  const { format, effort, ...others }: OutputConfigFields = asObject(config, 'output_config');
  const { type, schema, ...rest }: OutputFormatFields = isObject(format) ? format : {};
  const known = type === 'json_schema' && Object.keys(rest).length === 0;
  const kept = { ...others, ...(!known && format !== undefined && { format }) };
  const left = Object.keys(kept).length > 0 || (format === undefined && effort === undefined) ? kept : undefined;
  return [
    known ? { type: 'schema', schema: schema as Json } : undefined,
    effort,
    { output_config: left, output_format: older },
  ];
}

function readThinking(native: unknown, effort: string | null | undefined): Reasoning | undefined {
  if (native === undefined && effort === undefined) return undefined;
  if (native === undefined) return { effort };
  const { type, budget_tokens, display, block_binding, ...rest }: ThinkingFields = asObject(native, 'thinking');
  const mode = type === 'enabled' ? 'on' : type === 'disabled' ? 'off' : type === 'adaptive' ? 'adaptive' : undefined;
  const ext = residual(ANTHROPIC, rest, { display, block_binding, type: mode ? undefined : type });
  return { mode, effort, budget: budget_tokens, ext };
}

/** Leading system messages become the top-level prompt, a block for each of their parts. */
export function writeHead(
  given: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const head = inOwnWords(given, lose);
  const kept = own(head.ext, ANTHROPIC);
  const [first] = system;
  const form = system.length === 1 ? first?.form?.[ANTHROPIC] : undefined;
  for (const { name } of system) if (name !== undefined) lose('name', 'a system prompt has none');
  const parts = system.flatMap((message) => message.parts);
  const text = writeInner(parts, form, lose);
  const empty = form === undefined && (text === '' || (Array.isArray(text) && text.length === 0));
  const prompt = system.length > 0 && !empty ? { system: text } : undefined;
  const { output_config, ...others } = kept ?? {};
  const { tools, toolChoice, parallelToolCalls } = chosenFrom(head, head.tools && writeTools(head.tools, lose));
  const native = {
    ...head.extra,
    ...others,
    ...optional({ model: head.model, max_tokens: head.maxTokens }),
    ...prompt,
    ...optional({ tools, tool_choice: writeToolChoice(toolChoice, parallelToolCalls, lose) }),
    ...writeSampling(head, lose),
    ...optional({
      stop_sequences: head.stop && [...head.stop],
      stream: head.stream,
      service_tier: tierFor('anthropic', head, lose),
    }),
    ...optional({ cache_control: writeCache(head.cache), thinking: writeThinking(head.reasoning) }),
    ...optional({ output_config: writeOutput(head, output_config as JsonObject | undefined) }),
    ...(typeof head.user === 'string' && { metadata: { ...(kept?.metadata as JsonObject), user_id: head.user } }),
    ...(head.meta && { _meta: head.meta }),
  };
  return { native, rest: [] };
}

function writeSampling(head: Head, lose: Lose): JsonObject | undefined {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty, candidates, metadata } = head;
  const unknown = {
    seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    n: candidates,
    metadata,
  };
  for (const [name, value] of Object.entries(unknown))
    if (value !== undefined && value !== null && !(name === 'n' && value === 1))
      lose(name, 'the API has no such parameter');
  return optional({ temperature, top_p: topP, top_k: topK });
}

function writeThinking(reasoning: Reasoning | undefined): JsonObject | undefined {
  const kept = own(reasoning?.ext, ANTHROPIC);
  if (reasoning === undefined || (reasoning.mode === undefined && kept === undefined)) return undefined;
  const type = reasoning.mode === 'on' ? 'enabled' : reasoning.mode === 'off' ? 'disabled' : reasoning.mode;
  return { ...kept, ...optional({ type, budget_tokens: reasoning.budget }) };
}

function writeOutput(head: Head, kept: JsonObject | undefined): JsonObject | undefined {
  const effort = head.reasoning?.effort;
  const schema =
    head.responseFormat?.type === 'schema'
      ? { format: { type: 'json_schema', schema: head.responseFormat.schema } }
      : undefined;
  if (kept === undefined && effort === undefined && schema === undefined) return undefined;
  return { ...kept, ...schema, ...(effort !== undefined && { effort }) };
}
