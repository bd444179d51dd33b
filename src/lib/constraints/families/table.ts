// Every family of models that wants something of its own.
import { claude } from './claude.ts';
import { deepseek } from './deepseek.ts';
import { gemini } from './gemini.ts';
import { gemma } from './gemma.ts';
import { glm } from './glm.ts';
import { gpt } from './gpt.ts';
import { gptOss } from './gpt-oss.ts';
import { grok } from './grok.ts';
import { kimi } from './kimi.ts';
import { llama } from './llama.ts';
import { minimax } from './minimax.ts';
import { mistral } from './mistral.ts';
import { qwen } from './qwen.ts';
import type { Adapter } from './types.ts';

export const ADAPTERS: readonly Adapter[] = [
  claude,
  deepseek,
  gemini,
  gemma,
  glm,
  gpt,
  gptOss,
  grok,
  kimi,
  llama,
  minimax,
  mistral,
  qwen,
];
