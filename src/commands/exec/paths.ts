// Paths in the environment, for tools that may run in another directory.
import { resolve } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Lists of paths. In some, a word stands for what comes with the programs. */
const LISTS = ['AI_RULES', 'AI_TOOLS', 'AI_AGENTS', 'AI_HOOKS', 'AI_ROOTS', 'AI_TASK_RULES', 'AI_TASK_TOOLS'];

const WORD = 'builtin';

/** AI_CONV, and the lists of paths, as absolute paths. */
export function withAbsolutePaths(env: Env, cwd: string): Env {
  const lists = LISTS.flatMap((name) => {
    const list = env[name]?.split(':').filter(Boolean);
    return list ? [[name, list.map((path) => (path === WORD ? path : resolve(cwd, path))).join(':')] as const] : [];
  });
  const conversation = env.AI_CONV ? { AI_CONV: resolve(cwd, env.AI_CONV) } : {};
  return { ...env, ...conversation, ...Object.fromEntries(lists) };
}
