// OpenAI's models: which of them reason, and what those refuse. https://platform.openai.com/docs/guides/reasoning

import { type ModelName, modelName } from '../../conversation/model-name.ts';
import type { Head, Lose, Message, Reasoning } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { effortOf, isEffort, nearestEffort } from '../../dialects/codec/effort.ts';
import type { Adapter } from './types.ts';

export interface GptTraits {
  /** It reasons unless told otherwise. */
  readonly reasons: boolean;
  /** The words that reasoning_effort takes; none: it does not reason at all. */
  readonly efforts: readonly string[];
  /** `stop` is taken. */
  readonly stop: boolean;
  /** The role of instructions: o1-mini takes neither `system` nor `developer`. */
  readonly instructions: 'system' | 'developer' | 'user';
  /** max_tokens is taken. */
  readonly maxTokens: boolean;
}

/** Beginnings of names, the more special before the general: does it reason by default, can it be told not to. */
const REASONING: readonly (readonly [start: string, byDefault: boolean, none: boolean])[] = [
  ['gpt-6', true, false],
  ['gpt-5.6', true, true],
  ['gpt-5.5-pro', true, false],
  ['gpt-5.5', true, true],
  ['gpt-5.4-pro', true, false],
  ['gpt-5.4', false, true],
  ['gpt-5.3-chat', true, false],
  ['gpt-5.3', false, true],
  ['gpt-5.2-pro', true, false],
  ['gpt-5.2-chat', true, false],
  ['gpt-5.2', false, true],
  ['gpt-5.1-codex', true, false],
  ['gpt-5.1-chat', true, false],
  ['gpt-5.1', false, true],
  ['gpt-5-chat', false, false],
  ['gpt-5', true, false],
  ['o', true, false],
];

/**
 * What a model of OpenAI takes; undefined for a name of another family. Read off the profiles of pydantic-ai, verified against the API:
 * https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/openai.py
 */
export function gptTraits(model: string | undefined): GptTraits | undefined {
  const name = modelName(model);
  return name?.family === 'gpt' ? traitsOf(name) : undefined;
}

function traitsOf({ id, version }: ModelName): GptTraits {
  const [, reasons = false, none = false] = REASONING.find(([start]) => id.startsWith(start)) ?? [];
  const series = /^o\d/.test(id);
  const more = version >= 5.2 && !series ? ['xhigh'] : [];
  const minimal = !series && version === 5 ? ['minimal'] : [];
  const efforts = reasons || none ? [...(none ? ['none'] : []), ...minimal, 'low', 'medium', 'high', ...more] : [];
  return {
    reasons,
    efforts: id.startsWith('o1-mini') || id.startsWith('o1-preview') ? [] : efforts,
    // https://github.com/huggingface/smolagents/issues/1671, /1893; from 5.5 on they are taken again: https://github.com/BerriAI/litellm/pull/28650
    stop:
      !/^(o3(?!-mini)|o4-mini)/.test(id) && !(series || id.includes('chat') ? false : version >= 5 && version < 5.5),
    instructions: id.startsWith('o1-mini') ? 'user' : reasons || none ? 'developer' : 'system',
    maxTokens: !(reasons || none),
  };
}

export const gpt: Adapter = {
  families: ['gpt'],
  summary: 'max_completion_tokens, the role developer, efforts by generation, no sampling parameters while it reasons',
  open(model, to): Adaptation | undefined {
    if (to !== 'openai' && to !== 'openai-responses') return undefined;
    const traits = traitsOf(model);
    return eachMessage(
      (head, lose) => limits(sampling(reasoning(head, traits, model, lose), traits, model, lose), traits, model, lose),
      (message, lose) => instructions(withoutReasoning(message, to, lose), traits, lose),
    );
  },
};

function reasoning(head: Head, { efforts }: GptTraits, { id }: ModelName, lose: Lose): Head {
  const { reasoning: given } = head;
  if (given === undefined) return head;
  const wanted = wordOf(given);
  if (efforts.length === 0) {
    if (wanted !== undefined && wanted !== 'none') lose('reasoning effort', `${id} does not reason`);
    return { ...head, reasoning: undefined };
  }
  if (wanted !== undefined && !isEffort(wanted)) {
    lose('reasoning effort', `"${wanted}" is unknown`);
    return { ...head, reasoning: undefined };
  }
  if (wanted === undefined) return { ...head, reasoning: given.mode === undefined ? given : undefined };
  const effort = nearestEffort(wanted, efforts);
  if (effort !== given.effort)
    lose('reasoning effort', `${describe(given)} is written as the effort "${effort}" (LiteLLM's table)`, 'changed');
  return { ...head, reasoning: { effort, ext: given.ext } };
}

const wordOf = ({ effort, budget, mode }: Reasoning): string | undefined =>
  effort ?? (budget === undefined ? (mode === 'off' ? 'none' : undefined) : effortOf(budget));

const describe = ({ effort, budget }: Reasoning): string =>
  effort ? `"${effort}"` : budget === undefined ? 'thinking switched off' : `a budget of ${budget} tokens`;

const SAMPLING = {
  temperature: 'temperature',
  topP: 'top_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
} as const;

function sampling(head: Head, { reasons, efforts }: GptTraits, { id }: ModelName, lose: Lose): Head {
  const effort = head.reasoning?.effort;
  const thinks = typeof effort === 'string' ? effort !== 'none' && efforts.length > 0 : reasons;
  if (!thinks) return head;
  const given = (Object.keys(SAMPLING) as (keyof typeof SAMPLING)[]).filter((name) => typeof head[name] === 'number');
  for (const name of given) lose(SAMPLING[name], `${id} does not support sampling parameters while it reasons`);
  const kept = withoutLogprobs(head, id, lose);
  return given.length === 0 ? kept : { ...kept, ...Object.fromEntries(given.map((name) => [name, undefined])) };
}

const LOGPROBS = ['logprobs', 'top_logprobs', 'logit_bias'];

/** What looks into the sampling is not taken either: profiles of pydantic-ai, as above. */
function withoutLogprobs(head: Head, id: string, lose: Lose): Head {
  const own = head.ext?.openai;
  const given = LOGPROBS.filter((name) => own?.[name]);
  if (own === undefined || given.length === 0) return head;
  for (const name of given) lose(name, `${id} does not support it while it reasons`);
  const kept = Object.entries(own).filter(([name]) => !given.includes(name));
  return { ...head, ext: { ...head.ext, openai: Object.fromEntries(kept) } };
}

function limits(head: Head, { stop, maxTokens }: GptTraits, { id }: ModelName, lose: Lose): Head {
  const spelled = head.form?.openai?.split(' ') ?? [];
  const form = { ...head.form, openai: spelled.filter((word) => word !== 'max_tokens').join(' ') };
  const renamed = !maxTokens && spelled.includes('max_tokens') ? { ...head, form } : head;
  if (stop || head.stop === undefined) return renamed;
  lose('stop', `${id} does not support stop sequences`);
  return { ...renamed, stop: undefined };
}

function instructions(message: Message, { instructions: role }: GptTraits, lose: Lose): Message {
  const { role: given } = message;
  if ((given !== 'system' && given !== 'developer') || given === role || (role === 'system' && given === 'developer'))
    return message;
  if (role === 'user') lose(given, 'the model does not support system messages: written as a user message', 'changed');
  return { ...message, role };
}

/** The API has no field for the text of another model's reasoning. */
function withoutReasoning(message: Message, to: string, lose: Lose): Message {
  if (to !== 'openai' || !message.parts.some(({ type }) => type === 'reasoning')) return message;
  lose('reasoning', 'the API has no field for it');
  return { ...message, parts: message.parts.filter(({ type }) => type !== 'reasoning') };
}
