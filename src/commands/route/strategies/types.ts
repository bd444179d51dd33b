// A strategy puts the candidates that meet every constraint in order: the first is chosen, the others are fallbacks.
import type { Priority, Task } from '../../../lib/config/types.ts';
import type { SharedState } from '../../../lib/state/types.ts';
import type { Candidate } from '../candidate.ts';

export interface Situation {
  readonly priority: Priority;
  readonly task?: Task;
  /** Estimated USD of the turn with a candidate; undefined where a price is not known. */
  readonly cost: (candidate: Candidate) => number | undefined;
  readonly state: SharedState;
  /** A number that grows with every choice of a run, and begins where the state or the first conversation says. */
  readonly turn: number;
}

export interface Ranked {
  readonly candidate: Candidate;
  /** What spoke for it, in a few words; asked of the chosen one alone. */
  readonly why: () => string;
}

export interface Strategy {
  readonly summary: string;
  order(candidates: readonly Candidate[], situation: Situation): Ranked[];
}
