// ChatML: the text that many models are trained on. Calls in it stay the text that they are.
// https://github.com/openai/openai-python/blob/release-v0.28.1/chatml.md

import type { TextFormat } from '../../../dialects/types.ts';
import { isObject, type JsonObject } from '../../../json/values.ts';
import { read } from './read.late.ts';
import { openWriter } from './write.late.ts';

const BEGINS = /^\s*(?:<s>|<\|(?:begin_of_text|endoftext)\|>)?\s*<\|im_start\|>/;

export const chatml: TextFormat = {
  name: 'chatml',
  summary: 'ChatML text, or records that hold it ({"text": …})',
  unwrap(value: JsonObject) {
    const { text, ...rest } = value;
    return isObject(value) && typeof text === 'string' && BEGINS.test(text.slice(0, 200)) ? { text, rest } : undefined;
  },
  wrap: (text) => ({ text }),
  read,
  write: openWriter,
};
