// Where the shared state is, and which project spends.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** `AI_STATE`, else `$XDG_STATE_HOME/ai/state.db`, else `~/.local/state/ai/state.db`; undefined without a home, and for `AI_STATE=off`. */
export function stateFile(env: Env): string | undefined {
  if (env.AI_STATE) return env.AI_STATE === 'off' ? undefined : env.AI_STATE;
  const dir = stateDir(env);
  return dir && join(dir, 'state.db');
}

/** `$XDG_STATE_HOME/ai`, else `~/.local/state/ai`; undefined without a home. Relative ones do not count: they would be the working directory's. */
export function stateDir({ XDG_STATE_HOME: own, HOME: home }: Env): string | undefined {
  const base = own && isAbsolute(own) ? own : home && isAbsolute(home) ? join(home, '.local', 'state') : undefined;
  return base === undefined ? undefined : join(base, 'ai');
}

/** `AI_PROJECT`, else the root of the repository that `cwd` is in, else `cwd`. */
export function projectOf(env: Env, cwd: string): string {
  if (env.AI_PROJECT) return env.AI_PROJECT;
  for (let dir = cwd; dir !== dirname(dir); dir = dirname(dir)) if (existsSync(join(dir, '.git'))) return dir;
  return cwd;
}
