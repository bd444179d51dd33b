// Patterns of names: `*`, `?`, `[…]`, `{a,b}`. A star crosses slashes, since model ids hold some.

import { EXIT, Failure } from '../failure/failure.ts';
import type { picomatch } from './picomatch.ts';

export type GlobCompiler = typeof picomatch;

export const loadGlob = async (): Promise<GlobCompiler> => (await import('./picomatch.ts')).picomatch;

/** A pattern's cost grows with the name's length to the power of its stars; names are compared up to this length. */
const STARS = 3;
const LONGEST = 200;

/** Whether a name fits any of the patterns, whatever the case. Throws a Failure (78) for a pattern with too many stars. */
export function anyOf(glob: GlobCompiler, patterns: readonly string[], place: string): (name: string) => boolean {
  for (const pattern of patterns)
    if (pattern.split(/\*+/).length - 1 > STARS || pattern.length > LONGEST)
      throw new Failure(
        EXIT.config,
        `cannot use the pattern ${JSON.stringify(pattern.slice(0, 80))}: at most ${STARS} stars`,
        {
          place,
        },
      );
  if (patterns.length === 0) return () => false;
  const matches = glob([...patterns], { bash: true, dot: true, nocase: true, nonegate: true });
  return (name) => matches(name.slice(0, LONGEST));
}
