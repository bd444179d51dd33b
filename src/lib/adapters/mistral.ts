// Mistral's models on any server that uses their template: ids of nine characters, and no user behind a result.
// https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py
import { type Adaptation, eachMessage, inTurn } from '../formats/adapt.ts';
import type { Head, Lose } from '../ir/types.ts';
import type { ModelName } from './family.ts';
import { BetweenResultAndUser } from './fillers.ts';
import { goodIds } from './ids.ts';
import type { Adapter } from './types.ts';

export const mistral: Adapter = {
  families: ['mistral'],
  summary: 'ids of nine letters and digits, a turn of the assistant between a result and the user',
  open(model, to): Adaptation | undefined {
    const head = eachMessage((given, lose) => quiet(given, model, lose));
    if (to === 'mistral') return head;
    return to === 'openai' ? inTurn([head, goodIds('mistral'), new BetweenResultAndUser()]) : undefined;
  },
};

/** `reasoning_effort` is for Magistral and the newest Small and Medium: https://docs.mistral.ai/capabilities/reasoning */
function quiet(head: Head, { id }: ModelName, lose: Lose): Head {
  const reasons = /^(magistral|mistral-(small|medium)-latest|mistral-small-4|mistral-medium-3-5)/.test(id);
  if (head.reasoning === undefined || reasons) return head;
  lose('reasoning effort', `${id} does not reason`);
  return { ...head, reasoning: undefined };
}
