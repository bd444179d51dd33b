// Messages of one side in a row become one, for an API that has been known to take no others. https://github.com/langchain-ai/langchain-aws/issues/130

import { isResult } from '../../lib/constraints/rules/calls.ts';
import { isSystem } from '../../lib/conversation/roles.ts';
import type { FormatName, Message, Part } from '../../lib/conversation/types.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import type { Outcome } from './outcome.ts';
import type { Fate } from './plan.ts';

/** Whether an API takes no two messages of one side in a row. */
export const mustAlternate = (format: FormatName): boolean => format === 'bedrock';

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

/** Whether a message goes on with the turn of the one before it. Results are the user's. */
const goesOn = (before: Message | undefined, message: Message): boolean =>
  before !== undefined &&
  !isSystem(before) &&
  !isSystem(message) &&
  (before.role === 'assistant') === (message.role === 'assistant');

/** Messages of one side as one, its results first. */
function joined(messages: readonly Message[]): Message {
  const first = messages[0] as Message;
  const parts = messages.flatMap((message) => message.parts);
  const isFirst = (part: Part): boolean => first.role !== 'assistant' && isResult(part);
  const role = first.role === 'tool' ? 'user' : first.role;
  const fields = messages.toReversed().flatMap(({ meta }) => Object.entries(meta ?? {}));
  const arranged = [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))];
  return { ...first, role, parts: arranged, ...(fields.length > 0 && { meta: Object.fromEntries(fields) }) };
}
