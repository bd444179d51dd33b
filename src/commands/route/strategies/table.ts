// Every strategy.
import type { StrategyName } from '../../../lib/config/types.ts';
import { capability } from './capability.ts';
import { cost } from './cost.ts';
import { load } from './load.ts';
import { roundRobin } from './round-robin.ts';
import type { Strategy } from './types.ts';

export const STRATEGIES: { readonly [name in StrategyName]: Strategy } = {
  capability,
  cost,
  'round-robin': roundRobin,
  load,
};
