// The request without its messages: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html

import type { Head, Lose, Message } from '../../conversation/types.ts';
import { asArray, isObject, type JsonObject } from '../../json/values.ts';
import { withoutMedia } from '../codec/documents.ts';
import { gather, lookup, present, spread } from '../codec/fields.ts';
import { beyondDefaults, parametersOf, passedOn, sayUnknown } from '../codec/parameters.ts';
import { own, residual } from '../codec/residual.ts';
import type { Request } from '../types.ts';
import { DocumentNames } from './document-names.ts';
import { withoutEmpty } from './message.ts';
import { readModelFields, writeModelFields } from './model-fields.ts';
import { BEDROCK } from './name.ts';
import { readOutputConfig, writeOutputConfig } from './output-config.ts';
import { readContent } from './read-blocks.ts';
import { readToolConfig, writeToolConfig } from './tools.ts';
import type { BodyFields, InferenceFields } from './types.ts';
import { writeBlocks } from './write-blocks.ts';

export function readHead(native: JsonObject): Request {
  const { messages: _m, modelId, model: routed, system, _meta, ...sections } = native as BodyFields;
  const { inferenceConfig, toolConfig, outputConfig, additionalModelRequestFields, ...more } = sections;
  const { requestMetadata, serviceTier, guardrailConfig, promptVariables, ...others } = more;
  const { additionalModelResponseFieldPaths, performanceConfig, ...rest } = others;
  const inference = readInference(inferenceConfig);
  const tools = readToolConfig(toolConfig);
  const output = readOutputConfig(outputConfig);
  const model = readModelFields(additionalModelRequestFields);
  const tier = readTier(serviceTier);
  const kept = {
    ...{ guardrailConfig, promptVariables, additionalModelResponseFieldPaths, performanceConfig },
    ...spread('inferenceConfig', inference.rest),
    ...spread('toolConfig', tools.rest ?? {}),
    ...spread('outputConfig', output.rest ?? {}),
    ...spread('additionalModelRequestFields', model.rest ?? {}),
    serviceTier: tier === undefined ? serviceTier : undefined,
    system: system === null ? system : undefined,
    modelId: routed === undefined ? undefined : modelId,
  };
  const empty = emptyOf({ system, inferenceConfig, toolConfig, outputConfig, additionalModelRequestFields });
  const head: Head = {
    ...inference.sampling,
    ...model.head,
    model: routed ?? modelId,
    tools: tools.tools,
    toolChoice: tools.toolChoice,
    responseFormat: output.format,
    reasoning: output.effort === undefined ? model.reasoning : { ...model.reasoning, effort: output.effort },
    metadata: requestMetadata,
    serviceTier: tier,
    extra: passedOn(rest),
    ext: residual(BEDROCK, {}, { ...kept, ...parametersOf(rest) }),
    form: { ...model.form, ...output.form, [BEDROCK]: [...empty, routed === undefined ? '' : 'model'].join(' ') },
    meta: _meta as JsonObject,
  };
  const parts = system === undefined || system === null ? [] : readContent(system, 'system');
  return { head, messages: parts.length > 0 ? [{ role: 'system', parts, form: { [BEDROCK]: 'blocks' } }] : [] };
}

/** The names of those that hold nothing: they come back all the same. */
function emptyOf(sections: { readonly [name: string]: unknown }): string[] {
  return Object.entries(sections).flatMap(([name, value]) => (isEmpty(value) ? [name] : []));
}

const isEmpty = (value: unknown): boolean =>
  (isObject(value) || Array.isArray(value)) && Object.keys(value).length === 0;

function readTier(native: unknown): string | undefined {
  if (!isObject(native) || Object.keys(native).length !== 1) return undefined;
  return typeof native.type === 'string' ? native.type : undefined;
}

function readInference(native: unknown): { sampling: Head; rest: object } {
  if (!isObject(native)) return { sampling: {}, rest: {} };
  const { maxTokens, temperature, topP, stopSequences, ...rest } = native as InferenceFields;
  const stop = stopSequences && asArray<string>(stopSequences, 'inferenceConfig.stopSequences');
  return { sampling: { maxTokens, temperature, topP, stop }, rest: residual(BEDROCK, rest)?.[BEDROCK] ?? {} };
}

/** Leading system messages become the prompt, a block for each of their parts. */
export function writeHead(
  head: Head,
  system: readonly Message[],
  lose: Lose,
): { native: JsonObject; rest: readonly Message[] } {
  const empty = new Set(head.form?.[BEDROCK]?.split(' '));
  const inference = gather('inferenceConfig', own(head.ext, BEDROCK));
  const tools = gather('toolConfig', inference.beside);
  const output = gather('outputConfig', tools.beside);
  const model = gather('additionalModelRequestFields', output.beside);
  sayLost(head, lose);
  const sections = {
    system: writeSystem(system, lose),
    inferenceConfig: writeInference(head, inference.inner),
    toolConfig: writeToolConfig(head, tools.inner, lose),
    outputConfig: writeOutputConfig(head, output.inner, lose),
    additionalModelRequestFields: writeModelFields(head, model.inner),
  };
  const filled = Object.entries(sections).map(([key, value]) => [
    key,
    value ?? (empty.has(key) ? EMPTY[key] : undefined),
  ]);
  const native = present(
    {
      ...head.extra,
      ...model.beside,
      [empty.has('model') ? 'model' : 'modelId']: head.model,
      ...Object.fromEntries(filled),
      requestMetadata: writeMetadata(head, lose),
      serviceTier: writeTier(head, lose),
      _meta: head.meta,
    },
    model.beside,
  );
  return { native, rest: [] };
}

const EMPTY: { readonly [key: string]: [] | JsonObject } = {
  system: [],
  inferenceConfig: {},
  toolConfig: {},
  outputConfig: {},
  additionalModelRequestFields: {},
};

function sayLost(head: Head, lose: Lose): void {
  const { seed, presencePenalty, frequencyPenalty, user, cache } = head;
  const { service_tier: _, ...others } = beyondDefaults(head);
  const penalties = { presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty };
  sayUnknown({ seed, ...penalties, user, cache_control: cache, ...others }, lose);
  if (head.stream) lose('stream', 'another operation streams: ConverseStream');
}

function writeSystem(system: readonly Message[], lose: Lose): JsonObject[] | undefined {
  for (const { name } of system) if (name !== undefined) lose('name', 'system blocks have no name');
  const parts = system.flatMap((message) =>
    message.form?.[BEDROCK] === undefined
      ? withoutMedia(withoutEmpty(message.parts), 'a system prompt contains only text', lose)
      : message.parts,
  );
  const blocks = writeBlocks(parts, new DocumentNames(), lose);
  return blocks.length > 0 ? blocks : undefined;
}

function writeInference(head: Head, kept: JsonObject): JsonObject | undefined {
  const { maxTokens, temperature, topP, stop } = head;
  const written = present(
    {
      ...kept,
      maxTokens: maxTokens ?? undefined,
      temperature: temperature ?? undefined,
      topP: topP ?? undefined,
      stopSequences: stop && [...stop],
    },
    kept,
  );
  return Object.keys(written).length > 0 ? written : undefined;
}

function writeMetadata({ metadata, form }: Head, lose: Lose): JsonObject | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  if (form?.[BEDROCK] !== undefined || Object.values(metadata).every((value) => typeof value === 'string'))
    return metadata;
  lose('metadata', 'its values must be text');
  return undefined;
}

const TIERS: { readonly [tier: string]: string } = {
  default: 'default',
  flex: 'flex',
  priority: 'priority',
  reserved: 'reserved',
};

function writeTier({ serviceTier, form }: Head, lose: Lose): JsonObject | undefined {
  if (typeof serviceTier !== 'string') return undefined;
  const type = form?.[BEDROCK] === undefined ? lookup(TIERS, serviceTier) : serviceTier;
  if (type === undefined && beyondDefaults({ serviceTier }).service_tier)
    lose('service_tier', 'the API has other tiers');
  return type === undefined ? undefined : { type };
}
