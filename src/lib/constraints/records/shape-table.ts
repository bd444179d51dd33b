// The shapes of each API, and whose servers keep to them.
import { modelName } from '../../conversation/model-name.ts';
import * as anthropic from '../../dialects/anthropic/shape.ts';
import { bedrockHead, bedrockMessage } from '../../dialects/bedrock/shape.ts';
import { cohereHead, cohereMessage } from '../../dialects/cohere/shape.ts';
import { geminiContent, geminiHead } from '../../dialects/gemini/shape.ts';
import { mistralHead, mistralMessage } from '../../dialects/mistral/shape.ts';
import { openaiHead, openaiMessage } from '../../dialects/openai/shape.ts';
import { responsesHead, responsesItem } from '../../dialects/openai-responses/shape.ts';
import type { Records, WireRule } from '../../dialects/record-rules.ts';
import { shapeRule } from './shape-rule.ts';

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
