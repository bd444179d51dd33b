// What a scan of a text is asked, and what it finds.
import type { Fence } from './markdown.ts';
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
  /** Of a text that grows: from here on it is not decided what the text is. */
  readonly hold: number;
  readonly state: State;
}

/** What a text goes on from: the place up to which it was decided, the fence and the reasoning that are open there. */
export interface State {
  readonly from: number;
  readonly fence?: Fence;
  readonly closers?: readonly string[];
  /** Where the last thing ended that was no text. */
  readonly done?: number;
}

export interface ScanOptions {
  readonly inReasoning: boolean;
  /** The text goes on from here; more will follow, unless this is the last of it. */
  readonly growing?: State;
  readonly final?: boolean;
}
