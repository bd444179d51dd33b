// What the rules of an API are to the rest of the suite: found broken, and mended where that invents nothing.
import type { FormatName, Head, Message } from '../../conversation/types.ts';
import type { Finding, Mended } from '../../dialects/record-rules.ts';

export type { Finding, Mended, Problem } from '../../dialects/record-rules.ts';

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
