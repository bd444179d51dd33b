// What one run is to do with every conversation: the options, read and checked.

import { STRATEGIES } from './strategies/table.ts';
import type { Trim } from './strategies/types.ts';
import type { Summariser } from './summary/summarise.ts';
import type { ToolRule } from './tool-rules.ts';

/** Messages, or tokens. */
export type Extent = { readonly messages: number } | { readonly tokens: number };

/** What may be done to make a conversation smaller. */
interface Means {
  readonly trims: readonly Trim[];
  readonly digest: boolean;
  readonly window: boolean;
  readonly summary: boolean;
}

export interface Policy extends Means {
  readonly keepFirst: number;
  readonly keepLast: Extent | undefined;
  readonly rule: (tool: string) => ToolRule;
  /** Writes summaries of what goes, where that is asked for. */
  readonly summariser: Summariser | undefined;
}

/** The means that some strategies give; a summary takes the place of what is dropped. */
export function meansOf(names: readonly string[]): Means {
  const chosen = STRATEGIES.filter(({ name }) => names.includes(name));
  const kinds = new Set(chosen.map(({ kind }) => kind));
  return {
    trims: chosen.filter((strategy) => strategy.kind === 'trim'),
    digest: kinds.has('digest') || kinds.has('summary'),
    window: kinds.has('window') || kinds.has('summary') || kinds.has('digest'),
    summary: kinds.has('summary'),
  };
}
