// The best of those that can do it, by the priority.
import type { Task } from '../../../lib/config/types.ts';
import type { Candidate } from '../candidate.ts';
import { usd } from '../constraints.ts';
import type { Situation, Strategy } from './types.ts';

interface Weights {
  readonly quality: number;
  readonly speed: number;
  readonly cheapness: number;
}

/** What counts when nothing is preferred. Hard tasks want quality, small ones speed and price. */
const BALANCED: Weights = { quality: 0.5, speed: 0.15, cheapness: 0.35 };
const HARD: Weights = { quality: 0.75, speed: 0.05, cheapness: 0.2 };
const SMALL: Weights = { quality: 0.2, speed: 0.35, cheapness: 0.45 };

const BY_TASK: { readonly [task in Task]: Weights } = {
  architecture: HARD,
  complex_reasoning: HARD,
  code_review: HARD,
  code_generation: BALANCED,
  debugging: BALANCED,
  testing: BALANCED,
  documentation: SMALL,
  simple_question: SMALL,
};

export const capability: Strategy = {
  summary: 'the best of the candidates, by --priority',
  order(candidates, situation) {
    const scored = candidates.map((candidate) => ({ candidate, score: score(candidate, situation) }));
    scored.sort((a, b) => b.score - a.score || compare(a.candidate, b.candidate, situation));
    return scored.map(({ candidate }) => ({ candidate, why: () => describe(candidate, situation) }));
  },
};

function describe(candidate: Candidate, { cost }: Situation): string {
  const { facts } = candidate.choice;
  const known = cost(candidate);
  const price = known === undefined ? 'price not known' : `$${usd(known)}`;
  return `quality ${facts?.quality ?? 'not known'}, speed ${facts?.speed ?? 'not known'}, ${price}`;
}

/** What counts first, the higher the better. What is not known ranks last. */
function score(candidate: Candidate, { priority, task, cost }: Situation): number {
  const { quality = 0, speed = 0 } = candidate.choice.facts ?? {};
  switch (priority) {
    case 'quality':
      return quality;
    case 'cost':
      return -(cost(candidate) ?? UNKNOWN);
    case 'speed':
      return speed;
    case 'balanced': {
      const weights = task === undefined ? BALANCED : BY_TASK[task];
      const sum =
        weights.quality * (quality / 5) + weights.speed * (speed / 5) + weights.cheapness * candidate.cheapness;
      return Math.round(sum * 1e6);
    }
  }
}

/** Dearer than anything. */
const UNKNOWN = 1e9;

/** Of equals: the better and the cheaper, then by their names, so that the order never depends on where they were found. */
function compare(a: Candidate, b: Candidate, { priority, cost }: Situation): number {
  const better = (b.choice.facts?.quality ?? 0) - (a.choice.facts?.quality ?? 0);
  const cheaper = priority === 'cost' ? 0 : (cost(a) ?? UNKNOWN) - (cost(b) ?? UNKNOWN);
  const faster = (b.choice.facts?.speed ?? 0) - (a.choice.facts?.speed ?? 0);
  const order = priority === 'speed' ? better || cheaper : cheaper || better || faster;
  return order || (a.name < b.name ? -1 : 1);
}
