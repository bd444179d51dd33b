// Every dialect. The first one is what a record that fits several is taken for, where nothing else decides.
import type { FormatName } from '../ir/types.ts';
import { anthropic } from './anthropic/index.ts';
import { bedrock } from './bedrock/index.ts';
import { cohere } from './cohere/index.ts';
import { mistral } from './mistral/index.ts';
import { ollama } from './ollama/index.ts';
import { openai } from './openai/index.ts';
import type { Format, LogFormat, TextFormat } from './types.ts';

export const FORMATS: readonly Format[] = [openai, bedrock, anthropic, mistral, ollama, cohere];

export const LOGS: readonly LogFormat[] = [];

export const TEXTS: readonly TextFormat[] = [];

const byName = new Map(FORMATS.map((format) => [format.name, format]));

export function formatNamed(name: FormatName): Format | undefined {
  return byName.get(name);
}
