// Parameters between the bounds of the API: what is beyond is written as the nearest that is taken.

import type { FormatName, Head, Lose } from '../../conversation/types.ts';
import { type Adaptation, eachMessage } from '../../conversion/adaptation.ts';
import type { Range } from '../../dialects/constraints.ts';
import { constraintsOf } from '../../dialects/table.ts';

type Sampling = 'temperature' | 'topP' | 'topK' | 'presencePenalty' | 'frequencyPenalty';

/** The fields of a head that have bounds: their field in the limits, and their common name. */
export const RANGES: readonly (readonly [Sampling, 'temperature' | 'topP' | 'topK' | 'penalty', string])[] = [
  ['temperature', 'temperature', 'temperature'],
  ['topP', 'topP', 'top_p'],
  ['topK', 'topK', 'top_k'],
  ['presencePenalty', 'penalty', 'presence_penalty'],
  ['frequencyPenalty', 'penalty', 'frequency_penalty'],
];

export const inside = (value: number, [least, most]: Range): boolean => value >= least && value <= most;

/** The parameters that are out of bounds, each with its name and the nearest value within. */
export function clamped(head: Head, to: FormatName): { field: Sampling; name: string; was: number; now: number }[] {
  return RANGES.flatMap(([field, limit, name]) => {
    const bounds = constraintsOf(to)[limit];
    const was = head[field];
    if (bounds === undefined || typeof was !== 'number' || inside(was, bounds)) return [];
    return [{ field, name, was, now: Math.min(Math.max(was, bounds[0]), bounds[1]) }];
  });
}

/** A stop sequence that the API refuses: https://github.com/BerriAI/litellm/issues/7386 */
export const isBlankStop = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';

export function goodRanges(to: FormatName): Adaptation {
  return eachMessage((head, lose) => withLimit(withStops(withRanges(head, to, lose), to, lose), to, lose));
}

function withRanges(head: Head, to: FormatName, lose: Lose): Head {
  const found = clamped(head, to);
  if (found.length === 0) return head;
  for (const { name, was, now } of found)
    lose(name, `${was} is ${was > now ? 'above the maximum' : 'below the minimum'}, ${now}`, 'changed');
  return { ...head, ...Object.fromEntries(found.map(({ field, now }) => [field, now])) };
}

function withStops(head: Head, to: FormatName, lose: Lose): Head {
  const { stop } = head;
  const { stops: most = Number.POSITIVE_INFINITY, blankStopsRefused } = constraintsOf(to);
  if (stop === undefined || most === 0) return head;
  const said = blankStopsRefused ? stop.filter((text) => !isBlankStop(text)) : stop;
  if (said.length === stop.length && stop.length <= most) return head;
  if (said.length < stop.length) lose('stop', 'a stop sequence must not be blank');
  if (said.length > most) lose('stop', `there are ${said.length} stop sequences, but the API allows ${most}`);
  return { ...head, stop: said.length === 0 ? undefined : said.slice(0, most) };
}

function withLimit(head: Head, to: FormatName, lose: Lose): Head {
  const least = constraintsOf(to).maxTokens?.least;
  const { maxTokens } = head;
  if (least === undefined || typeof maxTokens !== 'number' || maxTokens >= least) return head;
  lose('max_tokens', `${maxTokens} is too small: written as ${least}`, 'changed');
  return { ...head, maxTokens: least };
}
