// `--explain`: what each strategy would leave of a conversation and what that costs with a prompt cache, as a table for people and for cut.
import { type Conversation, headOf } from '../../lib/formats/conversation.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import { Condenser, subjectOf, type Task } from './condense.ts';
import type { Outcome } from './outcome.ts';
import { meansOf } from './policy.ts';
import { STRATEGIES } from './strategies/table.ts';

/** Of the price of a token of the prompt: what one costs that is read from the cache, and one that is written to it. */
const PRICE = { read: 0.1, write: 1.25 };

const COLUMNS = ['strategy', 'tokens', 'saved', 'messages', 'next request', 'each later one', 'pays after'];

/** A row for the conversation as it is, for each strategy by itself, and for what was asked for. Costs are in tokens of uncached prompt. */
export function explain(conversation: Conversation, task: Task): string {
  const whole = new Condenser(subjectOf(conversation), task);
  const before = whole.tokensIn(whole.unchanged);
  const count = (outcome: Outcome): number =>
    outcome.fates.filter((fate, at) => fate.do !== 'drop' && outcome.transcript.entries[at]?.message).length +
    outcome.digests.length;
  const rows = [
    [
      '(as it is)',
      round(before),
      '0',
      String(count(whole.unchanged)),
      cost(before * PRICE.read),
      cost(before * PRICE.read),
      '',
    ],
  ];
  const add = (name: string, policy: Task['policy'], onOverflow: Task['onOverflow']): void => {
    const outcome = outcomeOr(conversation, { ...task, policy, onOverflow });
    if (typeof outcome === 'string') return void rows.push([name, outcome, '', '', '', '', '']);
    const after = whole.tokensIn(outcome);
    const next = costOfNext(whole, outcome, after);
    const saved = before - after;
    const requests = saved > 0 ? Math.ceil((next - before * PRICE.read) / (saved * PRICE.read)) + 1 : 0;
    const pays = saved > 0 ? `${Math.max(1, requests)} requests` : '';
    rows.push([name, round(after), round(saved), String(count(outcome)), cost(next), cost(after * PRICE.read), pays]);
  };
  for (const { name, kind } of STRATEGIES)
    if (kind !== 'summary') add(name, { ...task.policy, ...meansOf([name]) }, 'error');
  add('(all asked for)', { ...task.policy, summariser: undefined }, task.onOverflow);
  const { model } = headOf(conversation).head;
  const title = `budget ${Math.floor(task.bounds.budget)}, trigger ${Math.floor(task.bounds.trigger)}${typeof model === 'string' ? `, model ${model}` : ''}`;
  return `${printable(title)}\n${[COLUMNS, ...rows].map((row) => row.join('\t')).join('\n')}\n`;
}

const round = (tokens: number): string => String(Math.round(tokens));
const cost = (tokens: number): string => String(Math.round(tokens));
const printable = (text: string): string => text.replace(/[\0-\x1f\x7f-\x9f]/g, '?');

function outcomeOr(conversation: Conversation, task: Task): Outcome | string {
  try {
    const condenser = new Condenser(subjectOf(conversation), task);
    return condenser.outcome ?? condenser.unchanged;
  } catch (error) {
    if (error instanceof Failure && error.status === EXIT.no) return 'does not fit';
    throw error;
  }
}

/** What comes before the first change is still in the cache. */
function costOfNext(whole: Condenser, outcome: Outcome, after: number): number {
  const first = outcome.fates.findIndex(
    (fate, at) => fate.do !== 'keep' || (outcome.digests.length > 0 && at === outcome.before),
  );
  const same = first < 0 ? after : whole.tokensBefore(first);
  return same * PRICE.read + (after - same) * PRICE.write;
}
