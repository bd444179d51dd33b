// Each in turn.
import type { Strategy } from './types.ts';

export const roundRobin: Strategy = {
  summary: 'each of the candidates in turn',
  order(candidates, { turn }) {
    const first = candidates.length === 0 ? 0 : turn % candidates.length;
    return [...candidates.slice(first), ...candidates.slice(0, first)].map((candidate) => ({
      candidate,
      why: () => `number ${first + 1} has its turn`,
    }));
  },
};
