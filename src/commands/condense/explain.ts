// `--explain`: what each strategy would leave of a conversation and what that costs with a prompt cache, as a table for people and for cut.
import { type Conversation, headOf } from '../../lib/conversion/gather.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { ratesOf } from '../../lib/models/cost.ts';
import { type CachePrices, cachePrices } from './batch.ts';
import { subjectOf } from './condense.ts';
import { Condenser, type Task } from './condenser.ts';
import type { Outcome } from './outcome.ts';
import { meansOf } from './policy.ts';
import { priceOf } from './settings.ts';
import { STRATEGIES } from './strategies/table.ts';

const COLUMNS = ['strategy', 'tokens', 'saved', 'messages', 'next request', 'each later one', 'pays after', 'fits'];

/**
 * A row for the conversation as it is, for each strategy by itself, and for what was asked for. Costs are in USD, or unknown where the model's prices
 * are; when a strategy pays follows from the usual prices of caches then.
 */
export function explain(conversation: Conversation, task: Task): string {
  const whole = new Condenser(subjectOf(conversation), task);
  const before = whole.tokensIn(whole.unchanged);
  const { head } = headOf(conversation);
  const price = priceOf(head);
  const rates = price && ratesOf(price, Math.round(before), task.now());
  const { read, write } = cachePrices(rates);
  const cost = (tokens: number): string => (rates?.input === undefined ? 'unknown' : `$${(tokens / 1e6).toFixed(5)}`);
  const count = (outcome: Outcome): number =>
    outcome.fates.filter((fate, at) => fate.do !== 'drop' && outcome.transcript.entries[at]?.message).length +
    outcome.digests.length;
  const rows = [
    ['(as it is)', round(before), '0', String(count(whole.unchanged)), cost(before * read), cost(before * read), ''],
  ];
  const add = (name: string, policy: Task['policy'], onOverflow: Task['onOverflow']): void => {
    const { outcome, fits } = whatIsLeft(conversation, { ...task, policy, onOverflow });
    const after = whole.tokensIn(outcome);
    const next = costOfNext(whole, outcome, after, { read, write });
    const saved = before - after;
    const requests = saved > 0 ? Math.ceil((next - before * read) / (saved * read)) + 1 : 0;
    const pays = saved > 0 ? `${Math.max(1, requests)} requests` : '';
    const costs = [cost(next), cost(after * read), pays, fits ? 'yes' : 'no'];
    rows.push([name, round(after), round(saved), String(count(outcome)), ...costs]);
  };
  for (const { name, kind } of STRATEGIES)
    if (kind !== 'summary') add(name, { ...task.policy, ...meansOf([name]) }, 'error');
  add('(all asked for)', { ...task.policy, summariser: undefined }, task.onOverflow);
  const { budget, trigger, batched } = task.bounds;
  const sizes = `budget ${Math.floor(budget)}, trigger ${Math.floor(trigger)}`;
  const grows = trigger > batched ? `, condensed to ${Math.floor(batched)} at a time` : '';
  const title = `${sizes}${grows}${typeof head.model === 'string' ? `, model ${head.model}` : ''}`;
  return `${printable(title)}\n${[COLUMNS, ...rows].map((row) => row.join('\t')).join('\n')}\n`;
}

const round = (tokens: number): string => String(Math.round(tokens));
const printable = (text: string): string => text.replace(/[\0-\x1f\x7f-\x9f]/g, '?');

/** Where it does not fit, the least that the strategies leave. */
function whatIsLeft(conversation: Conversation, task: Task): { outcome: Outcome; fits: boolean } {
  const condenser = new Condenser(subjectOf(conversation), task);
  try {
    return { outcome: condenser.outcome, fits: true };
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== EXIT.no) throw error;
    return { outcome: condenser.least, fits: false };
  }
}

/** What comes before the first change is still in the cache. */
function costOfNext(
  whole: Condenser,
  outcome: Outcome,
  after: number,
  { read, write }: Omit<CachePrices, 'input'>,
): number {
  const first = outcome.fates.findIndex(
    (fate, at) => fate.do !== 'keep' || (outcome.digests.length > 0 && at === outcome.before),
  );
  const same = first < 0 ? after : whole.tokensBefore(first);
  return same * read + (after - same) * write;
}
