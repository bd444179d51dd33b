// Kimi of Moonshot: its thinking models refuse a turn with calls that comes back without its reasoning.
// https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model

import type { Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { inField, neverMissing } from '../adapt/reasoning.ts';
import type { Adapter } from './types.ts';

export const kimi: Adapter = {
  families: ['kimi'],
  summary: 'reasoning_content comes back with every call, tool_choice "required" becomes "auto"',
  open({ id }, to): Adaptation | undefined {
    if (!constraintsOf(to).otherServers) return undefined;
    const thinks = /thinking|k2[.-][5-9]|k[3-9]/.test(id);
    return eachMessage(unforced, (message) => {
      const spelled = inField(message, 'reasoning_content');
      return thinks ? neverMissing(spelled) : spelled;
    });
  },
};

/** https://platform.moonshot.ai/docs/guide/migrating-from-openai-to-kimi#about-tool_choice */
function unforced(head: Head, lose: Lose): Head {
  const { toolChoice } = head;
  if (toolChoice?.mode !== 'required' || toolChoice.names !== undefined) return head;
  lose('tool_choice', 'Kimi does not take "required"', 'changed');
  return { ...head, toolChoice: { mode: 'auto' } };
}
