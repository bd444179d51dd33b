// What a conversion is told.
import type { FormatName } from '../conversation/types.ts';
import type { Format } from '../dialects/types.ts';
import type { Adapt, Ahead } from './adaptation.ts';
import type { Losses } from './losses.ts';

export interface ConvertOptions {
  /** The dialect to write; without it each record stays in its own, and only `adapt` changes it. */
  readonly to?: Format;
  /** The dialect to read; found out record by record if it is not given. */
  readonly from?: FormatName;
  readonly losses: Losses;
  /** What is changed on the way. */
  readonly adapt?: Adapt;
  /** All messages of the one conversation that is converted, where it is at hand as a whole. */
  readonly ahead?: Ahead;
  /** Records that are in the target dialect already are adapted too. */
  readonly adaptOwn?: boolean;
  /** The time for dialects whose replies say when they were made, where the reply does not say so itself. */
  readonly now?: () => number;
  /** Keep in `_meta.carry` what the way back needs. */
  readonly carry?: boolean;
  /** What is written is sent, and has no `_meta`: nothing is said of that. */
  readonly sent?: boolean;
}
