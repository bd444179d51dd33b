// The files that tools may touch: those below the roots, once every link is followed.
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type ToolContext, ToolError } from '../lib/cli/tool.ts';
import { userDir } from '../lib/config/places.ts';
import { isWithin, realPath } from '../lib/permissions/paths.ts';
import { stateDir } from '../lib/state/place.ts';

type World = Pick<ToolContext, 'env' | 'cwd'>;

const list = (value: string | undefined): string[] => (value ?? '').split(':').filter(Boolean);

/** AI_ROOTS, separated by colons; else the working directory. */
function roots({ env, cwd }: World): string[] {
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
  const folded = fold(real);
  if (guards(world).some((guard) => isWithin(folded, fold(guard))))
    throw new ToolError(`${path} is not written to: the loop itself depends on it`);
  const steps = folded.split('/');
  if (steps.includes('.git') || isInGit(real)) throw new ToolError(`${path} is not written to: it belongs to git`);
  const root = roots(world).find((one) => isWithin(real, one)) ?? '/';
  // A root that a person named may itself lie in such a directory, as the work trees of Claude Code do.
  const granting = fold(relative(root, real))
    .split('/')
    .find((step) => GRANTING.test(step));
  if (granting !== undefined)
    throw new ToolError(
      `${path} is not written to: ${granting} decides what programs may do; a person has to change it`,
    );
  return real;
}

/**
 * Directories and files whose words other programs follow: settings, rules, hooks, agents, servers of tools, and where git and editors look for
 * what they run.
 */
const GRANTING =
  /^(\.ai|\.claude|\.codex|\.gemini|\.cursor|\.roo|\.opencode|\.husky|\.githooks|\.mcp\.json|\.claude\.json|\.roomodes|\.gitconfig|\.gitmodules|\.envrc)$/;

/** As file systems see it that ignore case, forms of one letter and characters that are not shown (HFS+, NTFS). */
const fold = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();

/** Whether a directory above is git's own, whatever its name: a bare one, or one that a .git file names. */
function isInGit(real: string): boolean {
  for (let dir = dirname(real); dir !== dirname(dir); dir = dirname(dir))
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(dir, name)))) return true;
  return false;
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

/**
 * The conversation with what is beside it, the rules, the hooks, the agents, the tools, and the user's settings and state: whoever writes them
 * decides what runs, and where conversations go.
 */
function guards({ env, cwd }: World): string[] {
  const own = [userDir(env), stateDir(env)].filter((path) => path !== undefined);
  const conversation = env.AI_CONV ? [env.AI_CONV, `${env.AI_CONV.replace(/\.jsonl$/, '')}.d`] : [];
  const { AI_RULES, AI_TOOLS, AI_AGENTS, AI_HOOKS } = env;
  const policy = [AI_RULES, AI_TOOLS, AI_AGENTS, AI_HOOKS].flatMap(list).filter((path) => path !== 'builtin');
  return [...conversation, ...policy, ...own].map((path) => realPath(path, cwd));
}

/** A path as the model should see it: relative, where it is below the working directory. */
export function shown(real: string, { cwd }: World): string {
  const here = realPath('.', cwd);
  return isWithin(real, here) ? relative(here, real) || '.' : real;
}

/** A new name beside a file, for writing it whole before it takes the file's place. */
export const beside = (real: string, random: number): string =>
  join(dirname(real), `.${basename(real).slice(0, 100)}.${Math.floor(random * 2 ** 40).toString(36)}.tmp`);
