// Claude: what each generation has given up or taken on. https://platform.claude.com/docs/en/about-claude/models/overview

import { type ModelName, modelName } from '../../conversation/model-name.ts';
import type { Head, Lose, Reasoning } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { budgetOf, isEffort, nearestEffort } from '../../dialects/codec/effort.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { asDetails } from '../adapt/gateways.ts';
import type { Adapter } from './types.ts';

export interface ClaudeTraits {
  /** temperature, top_p and top_k are taken. */
  readonly sampling: boolean;
  /** temperature and top_p are taken together. */
  readonly bothSampling: boolean;
  /** thinking with `budget_tokens` is taken. */
  readonly budget: boolean;
  /** thinking of type `adaptive` is taken. */
  readonly adaptive: boolean;
  /** The words that output_config.effort takes; none: it is not taken. */
  readonly efforts: readonly string[];
  /** A conversation may end with words of the assistant, to be continued. */
  readonly prefill: boolean;
  /** Messages with the role `system` are taken. */
  readonly midSystem: boolean;
  /** tool_choice `any` and `tool` are taken. */
  readonly forced: boolean;
}

/**
 * What a model of the family takes; undefined for a name of another family. Read off the profiles of pydantic-ai, which are verified against
 * the API: https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/anthropic.py
 */
export function claudeTraits(model: string | undefined): ClaudeTraits | undefined {
  const name = modelName(model);
  return name?.family === 'claude' ? traitsOf(name) : undefined;
}

function traitsOf({ id, version }: ModelName): ClaudeTraits {
  const opus = id.includes('opus');
  const newest = /fable|mythos/.test(id) || version >= (opus ? 4.7 : 5);
  const adaptive = newest || (version >= 4.6 && !id.includes('haiku'));
  const efforts = [
    ...(adaptive || (opus && version >= 4.5) ? ['low', 'medium', 'high'] : []),
    ...(newest ? ['xhigh'] : []),
    ...(adaptive ? ['max'] : []),
  ];
  return {
    sampling: !newest,
    bothSampling: version < (opus ? 4.1 : 4.5),
    budget: !newest,
    adaptive,
    efforts,
    prefill: !newest && version < 4.6,
    midSystem: /fable|mythos/.test(id) || version >= (opus ? 4.8 : 5),
    forced: !/mythos-preview|(fable|mythos)-5[.-]1/.test(id),
  };
}

export const claude: Adapter = {
  families: ['claude'],
  summary: 'thinking and effort by generation, sampling parameters that newer models refuse',
  open(model, to): Adaptation | undefined {
    // OpenRouter's names begin with the provider.
    if (constraintsOf(to).otherServers && model.provider === 'anthropic') return eachMessage((head) => head, asDetails);
    if (!constraintsOf(to).signedThoughts) return undefined;
    const traits = traitsOf(model);
    return eachMessage((head, lose) =>
      choice(sampling(thinking(head, traits, model, lose), traits, model, lose), traits, model, lose),
    );
  },
};

function sampling(head: Head, traits: ClaudeTraits, { id }: ModelName, lose: Lose): Head {
  const given = (['temperature', 'topP', 'topK'] as const).filter((name) => typeof head[name] === 'number');
  if (!traits.sampling && given.length > 0) {
    for (const name of given) lose(SPELLED[name], `${id} does not support sampling parameters`);
    return { ...head, temperature: undefined, topP: undefined, topK: undefined };
  }
  if (thinks(head) && given.length > 0 && !(given.length === 1 && head.temperature === 1)) {
    for (const name of given) lose(SPELLED[name], 'a model with a thinking budget does not support it');
    return { ...head, temperature: undefined, topP: undefined, topK: undefined };
  }
  if (traits.bothSampling || !given.includes('temperature') || !given.includes('topP')) return head;
  lose('top_p', `${id} does not support it together with temperature`);
  return { ...head, topP: undefined };
}

const SPELLED = { temperature: 'temperature', topP: 'top_p', topK: 'top_k' } as const;

/** Whether it thinks within a budget. */
const thinks = ({ reasoning }: Head): boolean => reasoning?.mode === 'on' && reasoning.budget !== undefined;

function choice(head: Head, { forced }: ClaudeTraits, { id }: ModelName, lose: Lose): Head {
  const { toolChoice } = head;
  if (toolChoice?.mode !== 'required' || (forced && !thinks(head))) return head;
  lose('tool_choice', `${forced ? 'a model with a thinking budget' : id} cannot be forced to call`, 'changed');
  return { ...head, toolChoice: { mode: 'auto', names: toolChoice.names } };
}

/** An effort that came from elsewhere becomes what the generation takes: a budget, or adaptive thinking with an effort. */
function thinking(head: Head, traits: ClaudeTraits, model: ModelName, lose: Lose): Head {
  const { reasoning } = head;
  if (reasoning === undefined) return head;
  const effort = reasoning.effort ?? undefined;
  if (effort !== undefined && !isEffort(effort)) {
    lose('reasoning effort', `"${effort}" is unknown`);
    return thinking({ ...head, reasoning: { ...reasoning, effort: undefined } }, traits, model, lose);
  }
  if (effort === 'none') return { ...head, reasoning: model.version >= 5 ? { mode: 'off' } : undefined };
  if (traits.adaptive) return { ...head, reasoning: adaptive(reasoning, traits, model, lose) };
  const budget = reasoning.budget ?? (effort === undefined ? undefined : budgetOf(effort));
  if (reasoning.mode === 'off' || budget === undefined) return { ...head, reasoning: without(reasoning, traits) };
  if (reasoning.budget === undefined) {
    lose('reasoning_effort', `"${effort}" is written as a budget of ${budget} tokens (LiteLLM's table)`, 'changed');
  }
  return fitting({ ...head, reasoning: { ...without(reasoning, traits), mode: 'on', budget } }, budget, lose);
}

/** The effort stays only where it is taken beside a budget. */
const without = (reasoning: Reasoning, { efforts }: ClaudeTraits): Reasoning | undefined => {
  const { effort, ...rest } = reasoning;
  const kept =
    efforts.length > 0 && typeof effort === 'string' ? { ...rest, effort: nearestEffort(effort, efforts) } : rest;
  return Object.values(kept).some((value) => value !== undefined) ? kept : undefined;
};

function adaptive(reasoning: Reasoning, traits: ClaudeTraits, { id }: ModelName, lose: Lose): Reasoning {
  const { effort, budget, mode, ext } = reasoning;
  const word = typeof effort === 'string' ? nearestEffort(effort, traits.efforts) : effort;
  if (word !== effort) lose('reasoning effort', `${id} does not support "${effort}": written as "${word}"`, 'changed');
  if (mode === 'off' || (budget !== undefined && traits.budget)) return { ...reasoning, effort: word };
  if (budget !== undefined) lose('thinking.budget_tokens', `${id} decides itself how much it reasons`, 'changed');
  return { mode: mode === undefined && word === undefined ? undefined : 'adaptive', effort: word, ext };
}

/** The budget must be at least 1024 and less than max_tokens. */
export function fitting(head: Head, budget: number, lose: Lose): Head {
  const { maxTokens, reasoning } = head;
  if (typeof maxTokens !== 'number') {
    lose('max_tokens', `the API requires it, and more than the budget: ${budget + ANSWER}`, 'added');
    return { ...head, maxTokens: budget + ANSWER };
  }
  if (budget < maxTokens) return head;
  if (maxTokens <= LEAST) {
    lose('thinking', `max_tokens is ${maxTokens}, which leaves no room for the minimum thinking budget, ${LEAST}`);
    return { ...head, reasoning: undefined };
  }
  lose('thinking.budget_tokens', `${budget} is not below max_tokens: written as ${maxTokens - 1}`, 'changed');
  return { ...head, reasoning: { ...reasoning, budget: maxTokens - 1 } };
}

/** The least budget. */
export const LEAST = 1024;
const ANSWER = 4096;
