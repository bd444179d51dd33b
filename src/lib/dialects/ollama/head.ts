// The request body without its messages: https://docs.ollama.com/api/chat

import type { Head, Lose, Message, Reasoning, ResponseFormat } from '../../conversation/types.ts';
import { asArray, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { eligible, readTools, writeTools } from '../chat/tools.ts';
import { gather, lookup, optional, present, spread } from '../codec/fields.ts';
import { beyondDefaults, parametersOf, passedOn, sayUnknown } from '../codec/parameters.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { OLLAMA } from './name.ts';
import type { BodyFields, OptionFields } from './types.ts';

export function readHead(native: JsonObject): Request {
  const { messages: _m, model, tools, stream, format, think, options, _meta, ...more } = native as BodyFields;
  const { keep_alive, logprobs, top_logprobs, truncate, shift, ...rest } = more;
  const { sampling, others } = isObject(options) ? readOptions(options) : { sampling: {}, others: { options } };
  const responseFormat = readFormat(format);
  const reasoning = readThink(think);
  const unread = {
    tools: tools === null ? tools : undefined,
    format: responseFormat === undefined ? format : undefined,
    think: reasoning === undefined ? think : undefined,
    stream: stream === null ? stream : undefined,
  };
  const kept = { keep_alive, logprobs, top_logprobs, truncate, shift, ...others, ...unread };
  const head: Head = {
    ...sampling,
    model,
    tools: readTools(tools, OLLAMA),
    responseFormat,
    reasoning,
    // A reply is streamed unless the request says otherwise.
    stream: stream ?? true,
    extra: passedOn(rest),
    ext: residual(OLLAMA, {}, { ...kept, ...parametersOf(rest) }),
    form: { [OLLAMA]: `${typeof stream === 'boolean' ? '' : 'streams'} ${isObject(options) ? 'options' : ''}` },
    meta: _meta as JsonObject,
  };
  return { head, messages: [] };
}

/** The sampling parameters, and the options of the server beside them. */
function readOptions(native: JsonObject): { sampling: Head; others: JsonObject } {
  const { temperature, top_p, top_k, seed, stop, num_predict, ...more } = native as OptionFields;
  const { presence_penalty, frequency_penalty, ...options } = more;
  const { numa, num_ctx, num_batch, num_gpu, main_gpu, low_vram, f16_kv, logits_all, vocab_only, ...loading } = options;
  const { use_mmap, use_mlock, embedding_only, num_thread, num_keep, min_p, tfs_z, typical_p, ...later } = loading;
  const { repeat_last_n, repeat_penalty, mirostat, mirostat_tau, mirostat_eta, penalize_newline, ...rest } = later;
  const runner = { numa, num_ctx, num_batch, num_gpu, main_gpu, low_vram, f16_kv, logits_all, vocab_only };
  const memory = { use_mmap, use_mlock, embedding_only, num_thread, num_keep, min_p, tfs_z, typical_p };
  const repetition = { repeat_last_n, repeat_penalty, mirostat, mirostat_tau, mirostat_eta, penalize_newline };
  // -1 is no limit, -2 the whole context.
  const limited = typeof num_predict === 'number' && num_predict >= 0;
  const unread = { num_predict: limited ? undefined : num_predict, stop: Array.isArray(stop) ? undefined : stop };
  const kept = residual(OLLAMA, rest, { ...runner, ...memory, ...repetition, ...unread })?.[OLLAMA];
  return {
    sampling: {
      maxTokens: limited ? num_predict : undefined,
      temperature,
      topP: top_p,
      topK: top_k,
      seed,
      stop: Array.isArray(stop) ? asArray<string>(stop, 'options.stop') : undefined,
      presencePenalty: presence_penalty,
      frequencyPenalty: frequency_penalty,
    },
    others: kept === undefined ? {} : spread('options', kept),
  };
}

function readFormat(native: unknown): ResponseFormat | undefined {
  if (native === 'json') return { type: 'json' };
  return isObject(native) ? { type: 'schema', schema: native } : undefined;
}

function readThink(native: unknown): Reasoning | undefined {
  if (typeof native === 'boolean') return { mode: native ? 'on' : 'off' };
  return typeof native === 'string' ? { effort: native } : undefined;
}

/** System messages stay among the messages. */
export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const form = head.form?.[OLLAMA]?.split(' ');
  const { inner, beside } = gather('options', own(head.ext, OLLAMA));
  sayLost(head, lose);
  const options = { ...inner, ...writeSampling(head) };
  const tools = head.toolChoice?.mode === 'none' ? undefined : eligible(head, false, lose);
  const streams =
    form?.includes('streams') && head.stream === true ? undefined : (head.stream ?? (form ? undefined : false));
  const native = present(
    {
      ...head.extra,
      ...beside,
      model: head.model,
      tools: writeTools(tools, OLLAMA, { strict: false }, lose),
      format: writeFormat(head.responseFormat, lose),
      think: writeThink(head, form === undefined),
      stream: streams,
      options: form?.includes('options') || Object.keys(options).length > 0 ? options : undefined,
      _meta: head.meta,
    },
    beside,
  );
  return { native, rest: system };
}

function sayLost(head: Head, lose: Lose): void {
  const { toolChoice, user, metadata, cache, reasoning } = head;
  sayUnknown({ user, metadata, cache_control: cache, ...beyondDefaults(head) }, lose);
  if (toolChoice?.mode === 'none' && head.tools?.length)
    lose('tool_choice', 'the API cannot forbid calls: the tools are dropped');
  if (toolChoice?.mode === 'required') lose('tool_choice', 'the API cannot force a call');
  if (reasoning?.budget !== undefined) lose('thinking.budget_tokens', 'the API takes a level, not a budget');
}

function writeSampling(head: Head): JsonObject | undefined {
  return optional({
    num_predict: head.maxTokens ?? undefined,
    temperature: head.temperature,
    top_p: head.topP,
    top_k: head.topK,
    seed: head.seed,
    stop: head.stop && [...head.stop],
    presence_penalty: head.presencePenalty,
    frequency_penalty: head.frequencyPenalty,
  });
}

function writeFormat(format: ResponseFormat | undefined, lose: Lose): Json | undefined {
  if (format === undefined || format.type === 'text') return undefined;
  if (format.type === 'json') return 'json';
  if (format.name !== undefined) lose('response_format.name', 'a format consists only of a schema');
  if (format.description !== undefined) lose('response_format.description', 'a format consists only of a schema');
  return format.schema ?? 'json';
}

/** An effort, as the nearest level that the server has. */
function writeThink({ reasoning }: Head, foreign: boolean): Json | undefined {
  if (reasoning === undefined) return undefined;
  const { mode, effort, budget } = reasoning;
  if (typeof effort === 'string') return foreign ? (lookup(LEVELS, effort) ?? effort) : effort;
  if (mode === undefined) return budget === undefined ? undefined : true;
  return mode !== 'off';
}

const LEVELS: { readonly [effort: string]: Json } = { none: false, minimal: 'low', xhigh: 'max' };
