// What a scan of a text is asked, and what it finds.
import type { Quoted } from './surroundings.ts';
import type { Grammar, Reading } from './types.ts';

export interface Candidate {
  readonly grammar: Grammar;
  readonly reading: Reading;
  readonly start: number;
  readonly end: number;
  readonly quoted?: Quoted;
  /** It is all that a code fence holds. */
  readonly fenced?: true;
  readonly reasoning: boolean;
}

/** Reasoning: the text from `from` to `to`; `start` and `end` include its marks. */
export interface Thought {
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
  /** Its opening mark is not in the text. */
  readonly orphan?: true;
}

/** `take`: it is a call. `leave`: it is not, and nothing within it is. `pass`: look on behind its first character. */
export type Verdict = 'take' | 'leave' | 'pass';

export interface Scanned {
  readonly taken: readonly Candidate[];
  readonly thoughts: readonly Thought[];
}

export interface ScanOptions {
  readonly inReasoning: boolean;
}
