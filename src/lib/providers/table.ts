// The wire APIs, named like the dialects that they speak.
import { lookup } from '../formats/fields.ts';
import { anthropic } from './apis/anthropic.ts';
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
