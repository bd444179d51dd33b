// Every rule, in the order in which repairs are made: what is in a message before what is between them, then the rest of the request.
import { answered } from './answered.ts';
import { cache } from './cache.ts';
import { choices } from './choice.ts';
import { empties } from './empty.ts';
import { lastResorts, ofMedia, ofRoles } from './last-resort.ts';
import { media } from './media.ts';
import { models } from './models.ts';
import { parameters } from './parameters.ts';
import { resultsFirst } from './results-first.ts';
import { sameIds } from './same-ids.ts';
import { spelling } from './spelling.ts';
import { thinking } from './thinking.ts';
import { turns } from './turns.ts';
import type { Rule } from './types.ts';

export const RULES: readonly Rule[] = [
  ...ofRoles,
  ...thinking,
  ...media,
  ...ofMedia,
  ...empties,
  sameIds,
  answered,
  resultsFirst,
  ...spelling,
  ...turns,
  ...cache,
  ...choices,
  ...parameters,
  ...models,
  ...lastResorts,
];
