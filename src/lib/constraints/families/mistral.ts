// Mistral's models on any server that uses their template: ids of nine characters, and no user behind a result.
// https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py

import type { ModelName } from '../../conversation/model-name.ts';
import type { Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, type Ahead, eachMessage, inTurn, type Read } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import { BetweenResultAndUser } from '../adapt/fillers.ts';
import { goodIds } from '../adapt/ids.ts';
import type { Adapter } from './types.ts';

export const mistral: Adapter = {
  families: ['mistral'],
  summary: 'ids of nine letters and digits, a turn of the assistant between a result and the user',
  open(model, to): Adaptation | undefined {
    const head = eachMessage((given, lose) => quiet(given, model, lose));
    if (constraintsOf(to).assistantAfterResults) return head;
    return constraintsOf(to).otherServers ? inTurn([head, goodIds('mistral'), new BetweenResultAndUser()]) : undefined;
  },
};

/** `reasoning_effort` is for Magistral and the newest Small and Medium: https://docs.mistral.ai/capabilities/reasoning */
function quiet(head: Head, { id }: ModelName, lose: Lose): Head {
  const reasons = /^(magistral|mistral-(small|medium)-latest|mistral-small-4|mistral-medium-3-5)/.test(id);
  if (head.reasoning === undefined || reasons) return head;
  lose('reasoning effort', `${id} does not reason`);
  return { ...head, reasoning: undefined };
}

/** The order of turns that Mistral's own API asks for. */
export const mistralTurns = (): Adaptation[] => [new BetweenResultAndUser(), new Continued()];

/** The assistant has the last word only where the model is to go on with it: https://docs.mistral.ai/capabilities/completion/prefix */
class Continued implements Adaptation {
  #whole = false;
  #last: Read | undefined;

  head(head: Head, _lose: Lose, _from: string, ahead?: Ahead): Head {
    this.#whole = ahead !== undefined;
    return head;
  }

  read(read: Read): Read | readonly Read[] {
    if (!this.#whole || read.gone) return read;
    const before = this.#last;
    const { role, parts } = read.message;
    this.#last = role === 'assistant' && parts.every(({ type }) => type !== 'tool_call') ? read : undefined;
    const now = this.#last ? [] : [read];
    return before ? [before, ...now] : now;
  }

  end(lose: Lose): readonly Read[] {
    const last = this.#last;
    this.#last = undefined;
    if (last === undefined) return [];
    lose('assistant', 'the API requires "prefix" on a turn to be continued', 'added');
    const { message } = last;
    const ext = { ...message.ext, mistral: { ...message.ext?.mistral, prefix: true } };
    return [{ ...last, message: { ...message, ext } }];
  }
}
