// The files that tools may touch: those below the roots, once every link is followed.
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type ToolContext, ToolError } from '../lib/cli/tool.ts';
import { isWithin, realPath } from '../lib/permissions/paths.ts';

type World = Pick<ToolContext, 'env' | 'cwd'>;

const list = (value: string | undefined): string[] => (value ?? '').split(':').filter(Boolean);

/** AI_ROOTS, separated by colons; else the working directory. */
export function roots({ env, cwd }: World): string[] {
  const named = list(env.AI_ROOTS);
  return (named.length > 0 ? named : ['.']).map((path) => realPath(path, cwd));
}

/** A path that may be read, links followed. Besides the roots: outputs that ai-exec has kept. Throws a ToolError. */
export function readable(path: string, world: World): string {
  const spool = world.env.AI_SPOOL ? [realPath(world.env.AI_SPOOL, world.cwd)] : [];
  return inside(path, world, [...roots(world), ...spool]);
}

/** A path that may be written to, links followed. Throws a ToolError. */
export function writable(path: string, world: World): string {
  const real = inside(path, world, roots(world));
  const guarded = guards(world).find((guard) => isWithin(real, guard));
  if (guarded !== undefined) throw new ToolError(`${path} is not written to: the loop itself depends on it`);
  if (real.split('/').includes('.git')) throw new ToolError(`${path} is not written to: it belongs to git`);
  return real;
}

function inside(path: string, world: World, allowed: readonly string[]): string {
  if (path.includes('\0')) throw new ToolError('the path has a NUL in it');
  const real = resolved(path, world);
  if (allowed.some((root) => isWithin(real, root))) return real;
  const where = resolve(world.cwd, path) === real ? '' : ` (it leads to ${real})`;
  throw new ToolError(`${path}${where} is outside of ${allowed.join(', ')}, where this tool may work`);
}

function resolved(path: string, { cwd }: World): string {
  try {
    return realPath(path, cwd);
  } catch (error) {
    throw new ToolError(`${path} cannot be followed: ${(error as Error).message}`);
  }
}

/** The conversation with what is beside it, the rules, the hooks, the agents, and the tools: whoever writes them decides what runs. */
function guards({ env, cwd }: World): string[] {
  const conversation = env.AI_CONV ? [env.AI_CONV, `${env.AI_CONV.replace(/\.jsonl$/, '')}.d`] : [];
  const { AI_RULES, AI_TOOLS, AI_AGENTS, AI_HOOKS } = env;
  const policy = [AI_RULES, AI_TOOLS, AI_AGENTS, AI_HOOKS].flatMap(list).filter((path) => path !== 'builtin');
  return [...conversation, ...policy].map((path) => realPath(path, cwd));
}

/** A path as the model should see it: relative, where it is below the working directory. */
export function shown(real: string, { cwd }: World): string {
  const here = realPath('.', cwd);
  return isWithin(real, here) ? relative(here, real) || '.' : real;
}

/** A new name beside a file, for writing it whole before it takes the file's place. */
export const beside = (real: string, random: number): string =>
  join(dirname(real), `.${basename(real).slice(0, 100)}.${Math.floor(random * 2 ** 40).toString(36)}.tmp`);
