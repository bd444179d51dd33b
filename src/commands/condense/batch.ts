// How much goes at once where a conversation may grow to a trigger: what the prompt cache costs decides.
import type { Rates } from '../../lib/models/types.ts';

/** Prices of a token of the prompt: not in the cache, read from it, written to it. */
export interface CachePrices {
  readonly input: number;
  readonly read: number;
  readonly write: number;
}

/** Of the price of a token that is not cached, where a model's are not known: those of most. */
const USUAL: CachePrices = { input: 1, read: 0.1, write: 1.25 };

/** A provider that names no price for a cache charges what it always does. */
export function cachePrices(rates: Rates | undefined): CachePrices {
  const { input, cache_read: read, cache_write: write } = rates ?? {};
  return input === undefined || input === 0
    ? USUAL
    : { input, read: read ?? input, write: write && write > 0 ? write : input };
}

/** What a request adds to the conversation: an answer and its results. Measured on two long sessions. Tokens. */
const GROWTH = 400;

/** No less than this of the budget is left, however cheap. */
const LEAST = 0.5;
/** How much dearer than that what is left may be: beyond it, memory costs more than it is worth. */
const DEARER = 1.125;
const STEP = 0.05;

/**
 * What a request costs on average where a conversation grows from `left` to `trigger` tokens and is then condensed again: all of it is read from the
 * cache, what is new is written, and what is left is written once in so many requests.
 */
const requestCost = (left: number, trigger: number, { read, write }: CachePrices): number =>
  (read * (left + trigger)) / 2 + write * GROWTH + (write * left * GROWTH) / (trigger - left);

/** The size to condense to: the most of the budget that costs at most an eighth more than half of it. Tokens. */
export function batchedSize(budget: number, trigger: number, prices: CachePrices): number {
  if (trigger <= budget) return budget;
  const most = DEARER * requestCost(LEAST * budget, trigger, prices);
  for (let share = 1; share > LEAST; share -= STEP)
    if (requestCost(share * budget, trigger, prices) <= most) return share * budget;
  return LEAST * budget;
}
