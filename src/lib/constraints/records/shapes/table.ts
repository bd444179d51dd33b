// The shapes of each API, and whose servers keep to them.
import { modelName } from '../../families/family.ts';
import type { Records, WireRule } from '../types.ts';
import * as anthropic from './anthropic.ts';
import { bedrockHead, bedrockMessage } from './bedrock.ts';
import { cohereHead, cohereMessage, mistralHead, mistralMessage, openaiHead, openaiMessage } from './chat.ts';
import { geminiContent, geminiHead } from './gemini.ts';
import { responsesHead, responsesItem } from './responses.ts';
import { shapeRule } from './rule.ts';

const always = (): boolean => true;

/** The models that OpenAI serves, under its own names for them; without a model, one that nobody named yet. */
export function isOpenAIs({ head }: Records): boolean {
  const model = head?.model;
  if (model === undefined) return true;
  return typeof model === 'string' && !model.includes('/') && modelName(model)?.family === 'gpt';
}

export const shapes: readonly WireRule[] = [
  shapeRule({ format: 'anthropic', head: anthropic.head, message: anthropic.message, isOwn: always }),
  shapeRule({ format: 'openai', head: openaiHead, message: openaiMessage, isOwn: isOpenAIs }),
  shapeRule({ format: 'openai-responses', head: responsesHead, message: responsesItem, isOwn: isOpenAIs }),
  shapeRule({ format: 'gemini', head: geminiHead, message: geminiContent, isOwn: always }),
  shapeRule({ format: 'bedrock', head: bedrockHead, message: bedrockMessage, isOwn: always }),
  shapeRule({ format: 'mistral', head: mistralHead, message: mistralMessage, isOwn: always }),
  shapeRule({ format: 'cohere', head: cohereHead, message: cohereMessage, isOwn: always }),
];
