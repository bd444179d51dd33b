// One line of a stream, as the programs hand it on.
import type { Json } from './values.ts';

export interface Rec {
  /** The parsed line; undefined for a blank line, and for a bad one that is passed on. */
  readonly value: Json | undefined;
  /** The line as it came, terminator included. A record that was made or changed here has none. */
  readonly source?: string | Uint8Array;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** A new record. It says where it comes from, if it takes the place of another. */
export function record(value: Json, from?: Rec): Rec {
  return { value, file: from?.file, line: from?.line };
}
