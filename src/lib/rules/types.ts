// What the rules of an API are to the rest of the suite: found broken, and mended where that invents nothing.
import type { FormatName, Head, Message } from '../ir/types.ts';

/** A conversation as one request in one dialect. */
export interface Checked {
  readonly format: FormatName;
  readonly head: Head;
  readonly messages: readonly Message[];
  /** Ends with calls that are still to be answered: no finding. */
  readonly open?: boolean;
}

export interface Finding {
  /** The rule's name, such as `answered-calls`. */
  readonly rule: string;
  /** The message that breaks it, counted from 0; undefined for the head. */
  readonly message?: number;
  /** What is wrong. */
  readonly what: string;
  /** How to mend it. */
  readonly mend: string;
}

/** What a repair did: the rule, the message it was about, and what was changed. */
export interface Mended {
  readonly rule: string;
  readonly message?: number;
  readonly did: string;
}

/** A rule looks at a whole request. `repair` returns the request mended, or undefined where it cannot be without inventing content. */
export interface Rule {
  readonly name: string;
  readonly formats: readonly FormatName[];
  check(request: Checked): Finding[];
  repair?(request: Checked): { readonly request: Checked; readonly did: readonly Mended[] } | undefined;
}
