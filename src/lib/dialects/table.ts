// Every dialect. The first one is what a record that fits several is taken for, where nothing else decides.
import type { FormatName } from '../conversation/types.ts';
import { anthropic } from './anthropic/index.ts';
import { bedrock } from './bedrock/index.ts';
import { cohere } from './cohere/index.ts';
import type { Constraints } from './constraints.ts';
import { gemini } from './gemini/index.ts';
import { mistral } from './mistral/index.ts';
import { ollama } from './ollama/index.ts';
import { openai } from './openai/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import { otel } from './otel/index.ts';
import { sharegpt } from './sharegpt/index.ts';
import type { Format } from './types.ts';

export const FORMATS: readonly Format[] = [
  openai,
  bedrock,
  anthropic,
  openaiResponses,
  gemini,
  mistral,
  ollama,
  cohere,
  otel,
  sharegpt,
];

const byName = new Map(FORMATS.map((format) => [format.name, format]));

export function formatNamed(name: FormatName): Format | undefined {
  return byName.get(name);
}

const NONE: Constraints = {};

/** What the API of a dialect demands. */
export const constraintsOf = (name: FormatName): Constraints => byName.get(name)?.constraints ?? NONE;

/** The dialects whose API demands something, by a predicate. */
export const demanding = (demands: (constraints: Constraints) => unknown): FormatName[] =>
  FORMATS.filter(({ constraints = NONE }) => demands(constraints)).map(({ name }) => name);

/** The names of the dialects, for options and errors. */
export const formatNames = (): string[] => FORMATS.map((format) => format.name);
