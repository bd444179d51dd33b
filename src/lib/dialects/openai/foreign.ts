// A head of another API in the words of this one.
import type { Head, Lose } from '../../conversation/types.ts';
import { inWords } from '../codec/effort.ts';
import { own } from '../codec/residual.ts';
import { tierIn } from '../codec/service-tiers.ts';
import { withTools } from '../codec/tool-choice.ts';
import { OPENAI } from './name.ts';

const TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];
const MOST_STOPS = 4;

/** The head with what the API can say, in its terms. What it cannot is said. */
export function inOwnWords(head: Head, lose: Lose): Head {
  if (head.form?.[OPENAI]?.startsWith('own')) return head;
  if (head.topK !== undefined && head.topK !== null) lose('top_k', 'the API has no such parameter');
  if (head.cache) lose('cache_control', 'the API caches automatically');
  const effort = inWords(head.reasoning, lose);
  return {
    ...withTools(head, (tool) => tool.type !== 'provider' || own(tool.ext, OPENAI) !== undefined, lose),
    stop: stops(head, lose),
    serviceTier: tierIn(TIERS, head.serviceTier, lose),
    reasoning: effort === undefined || effort === null ? undefined : { effort },
  };
}

function stops({ stop }: Head, lose: Lose): readonly string[] | undefined {
  if (stop === undefined || stop.length === 0) return undefined;
  if (stop.length > MOST_STOPS) lose('stop', `the API takes ${MOST_STOPS} of ${stop.length} stop sequences`, 'changed');
  return stop.slice(0, MOST_STOPS);
}
