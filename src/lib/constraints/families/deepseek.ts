// DeepSeek in thinking mode. https://api-docs.deepseek.com/guides/thinking_mode

import type { Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { inField, neverMissing } from '../adapt/reasoning.ts';
import { intoLastResult } from '../adapt/result-text.ts';
import type { Adapter } from './types.ts';

/**
 * A turn with calls must bring its reasoning_content back, be it empty (`Missing reasoning_content field in the assistant message`:
 * https://github.com/continuedev/continue/issues/8989). R1, which made no calls, refuses the field.
 */
export const deepseek: Adapter = {
  families: ['deepseek'],
  summary: 'reasoning_content comes back with every call, text after results goes into the last of them',
  open({ id }, to): Adaptation | undefined {
    if (!constraintsOf(to).otherServers) return undefined;
    const plain = /r1|chat/.test(id);
    return eachMessage(
      (head, lose) => unforced(head, plain, lose),
      (message, lose) => {
        const spelled = inField(intoLastResult(message, lose), 'reasoning_content');
        return plain ? spelled : neverMissing(spelled);
      },
    );
  },
};

/** `Thinking mode does not support this tool_choice`: https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/openai.py */
function unforced(head: Head, plain: boolean, lose: Lose): Head {
  const { toolChoice, reasoning } = head;
  const off = reasoning?.mode === 'off' || reasoning?.effort === 'none';
  if (plain || off || toolChoice?.mode !== 'required') return head;
  lose('tool_choice', 'a thinking model cannot be forced to call a tool', 'changed');
  return { ...head, toolChoice: { mode: 'auto', names: toolChoice.names } };
}
