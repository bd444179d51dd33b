// MiniMax: its models think between calls, and on the OpenAI-compatible API their thoughts are part of the text, between tags, and must come
// back there. https://platform.minimax.io/docs/guides/text-m2-function-call

import type { Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { inTags } from '../adapt/reasoning.ts';
import { intoLastResult } from '../adapt/result-text.ts';
import type { Adapter } from './types.ts';

export const minimax: Adapter = {
  families: ['minimax'],
  summary: 'reasoning as <think> in the text, text after results goes into the last of them',
  open: (_, to): Adaptation | undefined =>
    constraintsOf(to).otherServers
      ? eachMessage(freeForm, (message, lose) => inTags(intoLastResult(message, lose), ['<think>', '</think>']))
      : undefined,
};

/** https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/minimax.py */
function freeForm(head: Head, lose: Lose): Head {
  if (head.responseFormat === undefined || head.responseFormat.type === 'text') return head;
  lose('response_format', 'the models take none');
  return { ...head, responseFormat: undefined };
}
