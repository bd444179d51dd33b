// Gemini before 3: thinking has a budget, and no level. https://ai.google.dev/gemini-api/docs/thinking

import type { Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { budgetBounds, inBounds, nearestBudget } from '../../dialects/gemini/thinking-budgets.ts';
import type { Adapter } from './types.ts';

export const gemini: Adapter = {
  families: ['gemini'],
  summary: 'an effort is a budget of tokens before Gemini 3',
  open({ version, id }, to): Adaptation | undefined {
    if (to !== 'gemini' || version === 0 || version >= 3) return undefined;
    return eachMessage((head, lose) => bounded(budgeted(head, lose), id, lose));
  },
};

function bounded(head: Head, id: string, lose: Lose): Head {
  const budget = head.reasoning?.budget;
  const bounds = budgetBounds(id);
  if (bounds === undefined || typeof budget !== 'number' || inBounds(budget, bounds)) return head;
  const now = nearestBudget(budget, bounds);
  lose('thinkingBudget', `${id} does not support a thinking budget of ${budget} tokens: written as ${now}`, 'changed');
  return { ...head, reasoning: { ...head.reasoning, budget: now } };
}

/** Tokens, as Google's own endpoint for OpenAI's dialect has it: https://ai.google.dev/gemini-api/docs/openai#thinking */
const BUDGETS = new Map<string, number>([
  ['minimal', 1024],
  ['low', 1024],
  ['medium', 8192],
  ['high', 24_576],
  ['xhigh', 24_576],
  ['max', 24_576],
]);

function budgeted(head: Head, lose: Lose): Head {
  const { effort, ...reasoning } = head.reasoning ?? {};
  if (effort === undefined || effort === null) return head;
  if (effort === 'none') return { ...head, reasoning: { ...reasoning, mode: 'off' } };
  const budget = reasoning.budget ?? BUDGETS.get(effort);
  if (budget === undefined) lose('reasoning effort', `"${effort}" is unknown`);
  else if (reasoning.budget === undefined)
    lose('reasoning effort', `"${effort}" is written as a budget of ${budget} tokens`, 'changed');
  return { ...head, reasoning: { ...reasoning, ...(budget !== undefined && { budget }) } };
}
