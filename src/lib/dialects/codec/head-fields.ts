// Fields of a head that depend on what the target has.

import type { Head, Lose } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';

/** The tools as they were written, and the choice among them: where none of them is left there is nothing to choose, and no list. */
export function chosenFrom(
  head: Head,
  written: JsonObject[] | undefined,
): Pick<Head, 'toolChoice' | 'parallelToolCalls'> & {
  readonly tools?: JsonObject[];
} {
  const { toolChoice, parallelToolCalls, tools = [] } = head;
  return tools.length > 0 && written?.length === 0 ? {} : { tools: written, toolChoice, parallelToolCalls };
}

const TIERS = {
  anthropic: new Set(['standard_only']),
  openai: new Set(['default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']),
} as const;

/** The service tier, unless it is one that only the other vendor has: then it is lost, and that is said. `auto` is everyone's. */
export function tierFor(vendor: keyof typeof TIERS, { serviceTier }: Head, lose: Lose): string | null | undefined {
  const other = vendor === 'anthropic' ? 'openai' : 'anthropic';
  if (typeof serviceTier !== 'string' || !TIERS[other].has(serviceTier)) return serviceTier;
  lose('service_tier', `there is no tier ${serviceTier}`);
  return undefined;
}
