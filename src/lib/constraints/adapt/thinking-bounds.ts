// Thinking within a budget, in Anthropic's words: its bounds, and what does not go with it. Models of the family have more to say (claude.ts).

import type { FormatName, Head, Lose } from '../../conversation/types.ts';
import type { Adaptation } from '../../conversion/adaptation.ts';
import { budgetOf } from '../../dialects/codec/effort.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { fitting, LEAST } from '../families/claude.ts';

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking; Bedrock hands the same fields to the same models. */
export function thinkingBounds(to: FormatName): Adaptation {
  const holds = constraintsOf(to).thinkingBudget;
  return { head: (head, lose) => (holds && isOn(head) ? bounded(head, lose) : head) };
}

/** A budget alone says that it thinks. */
const isOn = ({ reasoning }: Head): boolean =>
  reasoning?.mode === 'on' ||
  (reasoning?.mode === undefined && typeof reasoning?.budget === 'number' && reasoning.budget > 0);

function bounded(head: Head, lose: Lose): Head {
  const { reasoning } = head;
  const given = reasoning?.budget;
  const budget = given === undefined ? USUAL : Math.max(LEAST, given);
  if (given === undefined) lose('thinking', `it needs a budget: ${budget}`, 'added');
  else if (given !== budget) lose('thinking.budget_tokens', `${given} is below the minimum, ${LEAST}`, 'changed');
  const fitted = fitting({ ...head, reasoning: { ...reasoning, mode: 'on', budget } }, budget, lose);
  return isOn(fitted) ? alone(fitted, lose) : fitted;
}

const USUAL = budgetOf('medium') ?? 2048;

/** `temperature` may only be set to 1 when thinking is enabled, top_p to at least 0.95, top_k not at all, and no call is forced. */
function alone(head: Head, lose: Lose): Head {
  const { temperature, topP, topK, toolChoice } = head;
  const gone = {
    ...(typeof temperature === 'number' && temperature !== 1 && { temperature: undefined }),
    ...(typeof topP === 'number' && topP < 0.95 && { topP: undefined }),
    ...(typeof topK === 'number' && { topK: undefined }),
  };
  for (const name of Object.keys(gone)) lose(SPELLED[name] ?? name, 'it cannot be combined with a thinking budget');
  if (toolChoice?.mode !== 'required') return Object.keys(gone).length > 0 ? { ...head, ...gone } : head;
  lose('tool_choice', 'a call cannot be forced together with a thinking budget', 'changed');
  return { ...head, ...gone, toolChoice: { mode: 'auto', names: toolChoice.names } };
}

const SPELLED: { readonly [name: string]: string } = { temperature: 'temperature', topP: 'top_p', topK: 'top_k' };
