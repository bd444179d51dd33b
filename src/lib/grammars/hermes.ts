// Hermes, and the many models trained on its format: a JSON object between tags. https://github.com/NousResearch/Hermes-Function-Calling
import { wrapped } from './body.ts';
import { jsonBody } from './json-body.ts';
import type { Grammar } from './types.ts';
import { eachJson } from './write.ts';

export const hermes: Grammar = wrapped({
  name: 'hermes-json',
  summary: 'Hermes 2 to 4, Qwen 2.5 and 3, QwQ, Granite 4, SmolLM3, ERNIE 4.5 and most fine-tunes',
  openers: ['<tool_call>'],
  closers: ['</tool_call>', '</tool_call'],
  body: jsonBody,
  write: eachJson('<tool_call>\n', '\n</tool_call>'),
});
