// Service tiers: each API has its own words, and few mean the same.
import type { Lose } from '../../conversation/types.ts';

/** Words for the same tier. */
const SAME: readonly (readonly string[])[] = [
  ['default', 'standard_only', 'standard'],
  ['auto'],
  ['flex'],
  ['priority'],
];

/** The tier in the words of an API that knows `words`; undefined, and said, where it has none for it. */
export function tierIn(
  words: readonly string[],
  tier: string | null | undefined,
  lose: Lose,
): string | null | undefined {
  if (typeof tier !== 'string' || words.includes(tier)) return tier;
  const same = SAME.find((group) => group.includes(tier))?.find((word) => words.includes(word));
  if (same === undefined) lose('service_tier', `the API has no tier "${tier}"`);
  else lose('service_tier', `"${tier}" is called "${same}" here`, 'renamed');
  return same;
}
