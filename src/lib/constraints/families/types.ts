// What a family of models wants differently from what its API takes.

import type { Family, ModelName } from '../../conversation/model-name.ts';
import type { FormatName } from '../../conversation/types.ts';
import type { Adaptation } from '../../conversion/adaptation.ts';

/** One family. Everything is a function of the view, before it is written. */
export interface Adapter {
  readonly families: readonly Family[];
  /** What it does, for the manual. */
  readonly summary: string;
  /** The changes for one conversation written in `to`; undefined if this model wants none there. */
  open(model: ModelName, to: FormatName): Adaptation | undefined;
}
