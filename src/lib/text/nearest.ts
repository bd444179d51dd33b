// The word that was probably meant.
import { distance } from './edit-distance.ts';

/** The candidate nearest to `word` by edit distance, if it is near enough to be a slip. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((name) => ({ name, distance: distance(word, name) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= (word.length < 4 ? 1 : 2) ? best.name : undefined;
}
