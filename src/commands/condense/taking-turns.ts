// Messages of one side in a row become one, for an API that takes no others.
import type { JsonObject } from '../../lib/ir/json.ts';
import type { Message } from '../../lib/ir/types.ts';
import { goesOn, joined } from '../../lib/rules/alternation.ts';
import type { Outcome } from './outcome.ts';
import type { Fate } from './plan.ts';

/** An outcome in which user and assistant take turns. A digest that is joined to a message is told from it by its opening when it is read again. */
export function takingTurns(outcome: Outcome): Outcome {
  const { transcript, digests, before } = outcome;
  const fates = [...outcome.fates];
  const left: Message[] = [];
  let last: { at: number; message: Message } | undefined;
  const join = (message: Message, by: readonly string[]): boolean => {
    if (last === undefined || !goesOn(last.message, message)) return false;
    last.message = joined([last.message, message]);
    fates[last.at] = { do: 'change', message: last.message, by };
    return true;
  };
  for (const [at, { message: came }] of transcript.entries.entries()) {
    if (at === before) for (const digest of digests) if (!join(unmarked(digest), ['joined'])) left.push(digest);
    const fate = fates[at] as Fate;
    const message = fate.do === 'keep' ? came : fate.do === 'change' ? fate.message : undefined;
    if (message === undefined) continue;
    const waiting = left.splice(0);
    const whole =
      waiting.length > 0 && goesOn(waiting.at(-1), message) ? joined([...waiting.map(unmarked), message]) : message;
    if (whole === message) left.push(...waiting);
    else fates[at] = { do: 'change', message: whole, by: ['joined'] };
    if (join(whole, ['joined'])) fates[at] = { do: 'drop', by: ['joined'] };
    else last = { at, message: whole };
  }
  return { ...outcome, fates, digests: left };
}

/** What it is joined to is no digest. */
function unmarked(digest: Message): Message {
  const { condensed } = digest.meta as { condensed: JsonObject };
  const { digest: _, ...said } = condensed;
  return { ...digest, meta: { condensed: { ...said, joined: true } } };
}
