// The cheapest, as the turn is estimated.
import { capability } from './capability.ts';
import type { Strategy } from './types.ts';

export const cost: Strategy = {
  summary: 'the cheapest of the candidates',
  order: (candidates, situation) => capability.order(candidates, { ...situation, priority: 'cost' }),
};
