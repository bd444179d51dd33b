// Qwen: reasoning has its own field. https://www.alibabacloud.com/help/en/model-studio/deep-thinking

import type { Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { inField } from '../adapt/reasoning.ts';
import type { Adapter } from './types.ts';

export const qwen: Adapter = {
  families: ['qwen'],
  summary: 'reasoning in reasoning_content; qwen3-coder takes no strict tools and no tool_choice "required"',
  open({ id }, to): Adaptation | undefined {
    if (!constraintsOf(to).otherServers) return undefined;
    const coder = /qwen-?3-coder/.test(id);
    return eachMessage(
      (head, lose) => (coder ? forCoder(head, lose) : head),
      (message) => inField(message, 'reasoning_content'),
    );
  },
};

/** https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/qwen.py */
function forCoder(head: Head, lose: Lose): Head {
  const { toolChoice, tools } = head;
  const forced = toolChoice?.mode === 'required';
  const strict = tools?.some((tool) => tool.strict) ?? false;
  if (forced) lose('tool_choice', 'the model cannot be forced to call a tool', 'changed');
  if (strict) lose('tools: strict', 'the model does not support strict tools');
  if (!forced && !strict) return head;
  return {
    ...head,
    ...(forced && { toolChoice: { mode: 'auto', names: toolChoice.names } as const }),
    ...(strict && { tools: tools?.map(({ strict: _, ...tool }) => tool) }),
  };
}
