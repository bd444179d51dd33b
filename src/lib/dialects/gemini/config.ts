// `generationConfig`: https://ai.google.dev/api/generate-content#generationconfig

import type { Head, Lose, Reasoning, ResponseFormat } from '../../conversation/types.ts';
import { equal, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { GEMINI } from './name.ts';
import { toJsonSchema } from './openapi.ts';
import type { ConfigFields, ThinkingFields } from './types.ts';

/** The fields of the view, what is left, and a schema in the API's own spelling. */
interface ReadConfig {
  readonly head: Head;
  readonly rest: JsonObject | undefined;
  readonly schema?: Json;
}

export function readConfig(native: unknown): ReadConfig {
  if (!isObject(native)) return { head: {}, rest: undefined };
  const { temperature, topP, topK, candidateCount, maxOutputTokens, stopSequences, seed, ...more }: ConfigFields =
    native;
  const { presencePenalty, frequencyPenalty, responseMimeType, responseSchema, responseJsonSchema, ...other } = more;
  const { thinkingConfig, ...rest } = other;
  const format = readFormat(responseMimeType, responseSchema, responseJsonSchema);
  const older = responseSchema !== undefined && format?.type === 'schema' && responseJsonSchema === undefined;
  const unread = {
    ...(format === undefined && { responseMimeType }),
    ...(!older && { responseSchema }),
    ...(format?.type !== 'schema' && { responseJsonSchema }),
    stopSequences: Array.isArray(stopSequences) ? undefined : stopSequences,
  };
  const left = residual(GEMINI, {}, { ...rest, ...unread })?.[GEMINI];
  return {
    head: {
      temperature,
      topP,
      topK,
      candidates: candidateCount,
      maxTokens: maxOutputTokens,
      stop: Array.isArray(stopSequences) ? stopSequences : undefined,
      seed,
      presencePenalty,
      frequencyPenalty,
      responseFormat: format,
      reasoning: readThinking(thinkingConfig),
    },
    rest: left ?? (Object.keys(native).length === 0 ? {} : undefined),
    ...(older && { schema: responseSchema as Json }),
  };
}

const JSON_TYPE = 'application/json';

function readFormat(mime: unknown, older: unknown, schema: unknown): ResponseFormat | undefined {
  if (mime === 'text/plain') return { type: 'text' };
  if (mime !== JSON_TYPE) return undefined;
  if (schema !== undefined) return { type: 'schema', schema: schema as Json };
  return older === undefined ? { type: 'json' } : { type: 'schema', schema: toJsonSchema(older as Json) };
}

/** A budget of 0 switches thinking off, -1 leaves it to the model. */
function readThinking(native: unknown): Reasoning | undefined {
  if (!isObject(native)) return undefined;
  const { includeThoughts, thinkingBudget, thinkingLevel, ...rest }: ThinkingFields = native;
  const mode = thinkingBudget === 0 ? 'off' : thinkingBudget === -1 ? 'adaptive' : undefined;
  const effort = typeof thinkingLevel === 'string' ? EFFORTS[thinkingLevel] : undefined;
  return {
    ...(mode ? { mode } : { budget: thinkingBudget }),
    effort,
    ext:
      residual(GEMINI, rest, { includeThoughts, thinkingLevel: effort === undefined ? thinkingLevel : undefined }) ??
      OWN,
  };
}

const OWN = { [GEMINI]: {} };

const EFFORTS: { readonly [level: string]: string } = {
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
};
const LEVELS: { readonly [effort: string]: string } = {
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

/** The configuration; undefined if it would be empty and was not there. `schema` is the one that it was read with. */
export function writeConfig(head: Head, schema: Json | undefined, lose: Lose): JsonObject | undefined {
  const kept = own(head.ext, GEMINI)?.generationConfig as JsonObject | undefined;
  const fields = {
    temperature: head.temperature,
    topP: head.topP,
    topK: head.topK,
    candidateCount: head.candidates,
    maxOutputTokens: head.maxTokens,
    stopSequences: head.stop && [...head.stop],
    seed: head.seed,
    presencePenalty: head.presencePenalty,
    frequencyPenalty: head.frequencyPenalty,
    ...writeFormat(head.responseFormat, schema, lose),
    thinkingConfig: writeThinking(head.reasoning, lose),
  };
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return said.length === 0 ? kept : { ...kept, ...Object.fromEntries(said) };
}

function writeFormat(format: ResponseFormat | undefined, older: Json | undefined, lose: Lose): JsonObject {
  if (format === undefined) return {};
  if (format.type === 'text') return { responseMimeType: 'text/plain' };
  if (format.type === 'json') return { responseMimeType: JSON_TYPE };
  for (const field of ['name', 'description', 'strict'] as const)
    if (format[field]) lose(`response_format: ${field}`, 'the API accepts only the schema');
  const same = older !== undefined && equal(toJsonSchema(older), format.schema);
  return { responseMimeType: JSON_TYPE, ...(same ? { responseSchema: older } : { responseJsonSchema: format.schema }) };
}

function writeThinking(reasoning: Reasoning | undefined, lose: Lose): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  const kept = own(reasoning.ext, GEMINI);
  const { mode, budget, effort } = reasoning;
  const off = mode === 'off' || effort === 'none';
  const tokens = off ? 0 : mode === 'adaptive' && !effort ? -1 : budget;
  const level = effort && !off ? lookup(LEVELS, effort) : undefined;
  if (effort && !off && (level === undefined || EFFORTS[level] !== effort))
    lose('effort', level === undefined ? `there is no level ${effort}` : `the highest level is high, not ${effort}`);
  if (mode === 'on' && tokens === undefined && !effort) lose('thinking', 'the API accepts only an effort');
  const said = {
    ...kept,
    ...(tokens !== undefined && { thinkingBudget: tokens }),
    ...(level && { thinkingLevel: level }),
  };
  return Object.keys(said).length > 0 || kept !== undefined ? said : undefined;
}
