// What the rules of an API are to the rest of the suite: found broken, and mended where that invents nothing.
import type { FormatName, Head, Message } from '../../conversation/types.ts';

/** A conversation as one request in one dialect. */
export interface Checked {
  readonly format: FormatName;
  /** Absent where only messages are at hand: nothing is said of the rest of the request then. */
  readonly head?: Head;
  readonly messages: readonly Message[];
  /** How many of the messages the head holds: its system prompt. Without it, those are meant that stand before all others. */
  readonly inHead?: number;
  /** Ends with calls that are still to be answered: no finding. */
  readonly open?: boolean;
}

/** What is wrong with something, and how to mend it. */
export interface Problem {
  readonly what: string;
  readonly mend: string;
}

export interface Finding extends Problem {
  /** The rule's name, such as `answered-calls`. */
  readonly rule: string;
  /** The message that breaks it, counted from 0; undefined for the head. */
  readonly message?: number;
}

/** What a repair did: the rule, the message it was about (counted as they stood when that rule's turn came), and what was changed. */
export interface Mended {
  readonly rule: string;
  readonly message?: number;
  readonly did: string;
}

/** A request after a repair. Messages that were not changed are the same objects. */
export interface Repaired {
  readonly request: Checked;
  readonly did: readonly Mended[];
}

/** A rule looks at a whole request. `repair` returns the request mended, or undefined where it cannot be without inventing content. */
export interface Rule {
  readonly name: string;
  readonly formats: readonly FormatName[];
  check(request: Checked): Finding[];
  repair?(request: Checked): Repaired | undefined;
}
