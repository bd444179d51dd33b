// Grok of xAI: its reasoning models refuse penalties and stop, and most take no effort. https://docs.x.ai/docs/guides/reasoning

import type { ModelName } from '../../conversation/model-name.ts';
import type { Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import { effortOf, nearestEffort } from '../../dialects/codec/effort.ts';
import type { Adapter } from './types.ts';

export const grok: Adapter = {
  families: ['grok'],
  summary: 'no penalties and no stop for models that reason, effort only where it is taken',
  open(model, to): Adaptation | undefined {
    if (to !== 'openai' && to !== 'openai-responses') return undefined;
    return eachMessage((head, lose) => effort(plain(head, model, lose), model, lose));
  },
};

const REFUSED = { presencePenalty: 'presence_penalty', frequencyPenalty: 'frequency_penalty', stop: 'stop' } as const;

const reasons = ({ id, version }: ModelName): boolean =>
  id.startsWith('grok-3-mini') || (version >= 4 && !id.includes('non-reasoning'));

function plain(head: Head, model: ModelName, lose: Lose): Head {
  const names = Object.keys(REFUSED) as (keyof typeof REFUSED)[];
  const given = reasons(model) ? names.filter((name) => head[name] !== undefined && head[name] !== null) : [];
  for (const name of given) lose(REFUSED[name], `${model.id} does not support it while it reasons`);
  return given.length === 0 ? head : { ...head, ...Object.fromEntries(given.map((name) => [name, undefined])) };
}

/** https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/profiles/grok.py */
function effort(head: Head, { id }: ModelName, lose: Lose): Head {
  const { reasoning } = head;
  const word = reasoning?.effort ?? (reasoning?.budget === undefined ? undefined : effortOf(reasoning.budget));
  if (reasoning === undefined || word === undefined) return head;
  if (!/^grok-(3-mini|4\.3|latest)/.test(id)) {
    lose('reasoning effort', `${id} decides itself how much it reasons`);
    return { ...head, reasoning: undefined };
  }
  const nearest = nearestEffort(word, ['low', 'high']);
  if (nearest !== reasoning.effort)
    lose('reasoning effort', `${id} supports "low" and "high": written as "${nearest}"`, 'changed');
  return { ...head, reasoning: { effort: nearest, ext: reasoning.ext } };
}
