// Where outputs are kept that are too long for the model.
import { resolve } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Beside the conversation (`c.jsonl`: `c.d/results`), else in the user's state directory; undefined if there is neither. */
export function spoolDirectory({ AI_SPOOL, AI_CONV, XDG_STATE_HOME, HOME }: Env, cwd: string): string | undefined {
  if (AI_SPOOL) return resolve(cwd, AI_SPOOL);
  if (AI_CONV) return resolve(cwd, `${AI_CONV.replace(/\.jsonl$/, '')}.d`, 'results');
  const state = XDG_STATE_HOME || (HOME && `${HOME}/.local/state`);
  return state ? `${state}/ai/results` : undefined;
}
