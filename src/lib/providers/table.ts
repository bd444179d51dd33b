// The wire APIs, named like the dialects that they speak.
import { lookup } from '../dialects/codec/fields.ts';
import { anthropic, anthropicOnVertex } from './apis/anthropic.ts';
import { bedrock } from './apis/bedrock.ts';
import { cohere } from './apis/cohere.ts';
import { gemini } from './apis/gemini.ts';
import { mistral } from './apis/mistral.ts';
import { ollama } from './apis/ollama.ts';
import { openai } from './apis/openai.ts';
import { openaiResponses } from './apis/openai-responses.ts';
import type { WireApi } from './wire.ts';

export const APIS: { readonly [api: string]: WireApi } = {
  anthropic,
  bedrock,
  cohere,
  gemini,
  mistral,
  ollama,
  openai,
  'openai-responses': openaiResponses,
};

export const apiNamed = (name: string): WireApi | undefined => lookup(APIS, name);

/** The API of a name at a provider: some are spoken otherwise in one place. */
export const apiAt = (provider: string, name: string): WireApi | undefined =>
  provider === 'google-vertex' && name === 'anthropic' ? anthropicOnVertex : apiNamed(name);
