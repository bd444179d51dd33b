// Every strategy, the gentlest first. That is the order in which they are applied, whatever the order they are asked for in.
import { longArguments } from './arguments.ts';
import { clip } from './clip.ts';
import { images } from './images.ts';
import { reasoning } from './reasoning.ts';
import { results } from './results.ts';
import { superseded } from './superseded.ts';
import type { Strategy } from './types.ts';

export const STRATEGIES: readonly Strategy[] = [
  reasoning,
  superseded,
  images,
  longArguments,
  results,
  clip,
  { kind: 'digest', name: 'digest', summary: 'list requests, errors, files, ids and names of the removed records' },
  { kind: 'window', name: 'window', summary: 'remove the oldest steps' },
  { kind: 'summary', name: 'summary', summary: 'replace the removed records by a summary (see --with)' },
];

/** What is done if nothing else is asked for. */
export const DEFAULT: readonly string[] = [
  'reasoning',
  'superseded',
  'images',
  'arguments',
  'results',
  'clip',
  'digest',
  'window',
];
