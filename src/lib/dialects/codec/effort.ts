// How much to think: words, budgets in tokens, and levels. One published table turns one into another.
import type { Lose, Reasoning } from '../../conversation/types.ts';

/**
 * LiteLLM's budgets for each word, the only table that is both published and tested against the APIs; Anthropic takes nothing below 1024.
 * https://docs.litellm.ai/docs/reasoning_content
 */
const BUDGETS: { readonly [effort: string]: number } = {
  minimal: 1024,
  low: 1024,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16384,
};

/** The words from little to much. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Whether a word is in the table. */
export const isEffort = (word: unknown): boolean => EFFORTS.includes(word as (typeof EFFORTS)[number]);

/** The budget that stands for a word; undefined for a word that is not in the table. */
export const budgetOf = (effort: string): number | undefined =>
  Object.hasOwn(BUDGETS, effort) ? BUDGETS[effort] : undefined;

/** The word that stands for a budget: the highest of `low`, `medium` and `high` that needs no more. Every model that thinks takes these. */
export function effortOf(budget: number): string {
  if (budget <= 0) return 'none';
  return budget >= 4096 ? 'high' : budget >= 2048 ? 'medium' : 'low';
}

/** The nearest of `allowed` words: the same, else the next lower, else the lowest. A word that is none stays. */
export function nearestEffort(effort: string, allowed: readonly string[]): string {
  const place = EFFORTS.indexOf(effort as (typeof EFFORTS)[number]);
  if (allowed.includes(effort) || place < 0) return effort;
  const known = EFFORTS.filter((word) => allowed.includes(word));
  return known.findLast((word) => EFFORTS.indexOf(word) <= place) ?? known[0] ?? effort;
}

/** Reasoning for an API that takes words alone: a budget becomes a word. Undefined where nothing can be said. */
export function inWords(reasoning: Reasoning | undefined, lose: Lose): string | null | undefined {
  if (reasoning === undefined || reasoning.effort !== undefined) return reasoning?.effort;
  const { mode, budget } = reasoning;
  if (budget !== undefined) {
    const word = effortOf(budget);
    lose('thinking.budget_tokens', `${budget} tokens are written as the effort "${word}" (LiteLLM's table)`, 'changed');
    return word;
  }
  if (mode === 'on') lose('thinking', 'the API accepts only an effort');
  if (mode === 'off') lose('thinking', 'reasoning cannot be switched off for every model');
  if (mode === 'adaptive') lose('thinking', 'the model itself decides how much it reasons');
  return undefined;
}
