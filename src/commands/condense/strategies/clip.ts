// Giant results keep their beginning and their end.
import { clipResults } from '../clip.ts';
import type { Trim } from './types.ts';

/** What an old result keeps at most. Tokens. */
export const CLIPPED = 120;

export const clip: Trim = {
  kind: 'trim',
  name: 'clip',
  summary: 'cut the middle of very long results',
  apply(message, { counter, call, rule }) {
    const kept = message.parts.some((part) => {
      const tool = part.type === 'tool_result' ? call(part.callId)?.name : undefined;
      return tool !== undefined && rule(tool) === 'keep';
    });
    return kept ? message : clipResults(message, 0, CLIPPED, counter);
  },
};
