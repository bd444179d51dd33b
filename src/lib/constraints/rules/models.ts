// What single models refuse of what their API takes. The facts are in the families' adapters.

import type { Head } from '../../conversation/types.ts';
import { equal } from '../../json/values.ts';
import { adapted } from '../adapt/adapt.ts';
import { type ClaudeTraits, claudeTraits } from '../families/claude.ts';
import { type GptTraits, gptTraits } from '../families/gpt.ts';
import { headRule, type Mend, quoted } from './build.ts';
import type { Problem, Rule } from './types.ts';

/** The head as the adapter of its model's family would write it. */
function mend(head: Head, api: string): Mend<Head> | undefined {
  const said: string[] = [];
  const now = adapted({ head, messages: [] }, '', api, (field, why) => void said.push(`${field}: ${why}`), {
    model: head.model,
  }).head;
  return equal(now, head) ? undefined : { now, did: said.join('; ') };
}

const claudeRule = headRule({
  name: 'model-parameters',
  formats: ['anthropic'],
  find: (head) => [...thinkingBudget(head), ...ofClaude(head, claudeTraits(head.model))],
  mend: (head) => mend(head, 'anthropic'),
});

function ofClaude(head: Head, traits: ClaudeTraits | undefined): Problem[] {
  if (traits === undefined) return [];
  const { temperature, topP, topK, reasoning, toolChoice, model } = head;
  const found: Problem[] = [];
  const refuse = (what: string, how: string): void => void found.push({ what: `${model} ${what}`, mend: how });
  const given = { temperature, top_p: topP, top_k: topK };
  for (const [name, value] of Object.entries(given))
    if (!traits.sampling && value !== undefined && value !== null) refuse(`does not support ${name}`, 'remove it');
  if (traits.sampling && !traits.bothSampling && isGiven(temperature) && isGiven(topP))
    refuse('does not support temperature and top_p together', 'remove one');
  if (!traits.budget && reasoning?.mode === 'on')
    refuse('does not support a thinking budget', 'use thinking of the type "adaptive"');
  if (!traits.adaptive && reasoning?.mode === 'adaptive') refuse('has no adaptive thinking', 'give a budget');
  const effort = reasoning?.effort;
  if (typeof effort === 'string' && !traits.efforts.includes(effort))
    refuse(
      `does not support the effort ${quoted(effort)}`,
      traits.efforts.length > 0 ? `use ${traits.efforts.join(', ')}` : 'remove it',
    );
  if (!traits.forced && toolChoice?.mode === 'required')
    refuse('cannot be forced to call a tool', 'use tool_choice "auto"');
  return found;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** `thinking.budget_tokens` and what does not go with it: https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
function thinkingBudget({ reasoning, maxTokens, temperature, topK, topP, toolChoice }: Head): Problem[] {
  if (reasoning?.mode !== 'on') return [];
  const { budget } = reasoning;
  const found: Problem[] = [];
  if (typeof budget !== 'number' || budget < 1024)
    found.push({ what: `the thinking budget is ${quoted(budget)}`, mend: 'it must be at least 1024' });
  else if (typeof maxTokens === 'number' && budget >= maxTokens)
    found.push({
      what: `the thinking budget, ${budget}, is not below max_tokens, ${maxTokens}`,
      mend: 'raise max_tokens',
    });
  if (isGiven(temperature) && temperature !== 1)
    found.push({ what: 'temperature is set together with thinking', mend: 'remove it' });
  if (isGiven(topK)) found.push({ what: 'top_k is set together with thinking', mend: 'remove it' });
  if (typeof topP === 'number' && topP < 0.95)
    found.push({ what: `top_p is ${topP} beside thinking`, mend: 'it must be at least 0.95' });
  if (toolChoice?.mode === 'required')
    found.push({ what: 'a forced call cannot be combined with a thinking budget', mend: 'use tool_choice "auto"' });
  return found;
}

const gptRule = headRule({
  name: 'model-parameters',
  formats: ['openai', 'openai-responses'],
  find: (head, { format }) => ofGpt(head, gptTraits(head.model), format),
  mend: (head, { format }) => mend(head, format),
});

function ofGpt(head: Head, traits: GptTraits | undefined, format: string): Problem[] {
  if (traits === undefined) return [];
  const { reasoning, model } = head;
  const found: Problem[] = [];
  const refuse = (what: string, how: string): void => void found.push({ what: `${model} ${what}`, mend: how });
  const effort = reasoning?.effort;
  if (typeof effort === 'string' && !traits.efforts.includes(effort))
    refuse(
      `does not support the effort ${quoted(effort)}`,
      traits.efforts.length > 0 ? `use ${traits.efforts.join(', ')}` : 'remove it',
    );
  const thinks = typeof effort === 'string' ? effort !== 'none' : traits.reasons;
  const sampling = {
    temperature: head.temperature,
    top_p: head.topP,
    presence_penalty: head.presencePenalty,
    frequency_penalty: head.frequencyPenalty,
  };
  for (const [name, value] of Object.entries(sampling))
    if (thinks && traits.efforts.length > 0 && isGiven(value) && value !== USUAL[name])
      refuse(`does not support ${name} while it reasons`, 'remove it');
  for (const name of ['logprobs', 'top_logprobs', 'logit_bias'])
    if (thinks && traits.efforts.length > 0 && head.ext?.[format]?.[name])
      refuse(`does not support ${name} while it reasons`, 'remove it');
  if (!traits.stop && head.stop) refuse('does not support stop sequences', 'remove them');
  const older = head.form?.openai?.split(' ').includes('max_tokens');
  if (format === 'openai' && older && !traits.maxTokens)
    refuse('does not support max_tokens', 'use max_completion_tokens');
  return found;
}

/** The values that mean the same as none are taken. */
const USUAL: { readonly [name: string]: number } = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
};

export const models: readonly Rule[] = [claudeRule, gptRule];
