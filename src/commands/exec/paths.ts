// Paths in the environment, for tools that may run in another directory.
import { resolve } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** AI_CONV, and the lists in AI_RULES, AI_TOOLS and AI_ROOTS, as absolute paths. */
export function withAbsolutePaths(env: Env, cwd: string): Env {
  const paths = (name: string, word?: string) => {
    const list = env[name]?.split(':').filter(Boolean);
    return list && { [name]: list.map((path) => (path === word ? path : resolve(cwd, path))).join(':') };
  };
  const conversation = env.AI_CONV ? { AI_CONV: resolve(cwd, env.AI_CONV) } : {};
  return { ...env, ...conversation, ...paths('AI_RULES'), ...paths('AI_TOOLS', 'builtin'), ...paths('AI_ROOTS') };
}
