// The files below a directory, as ripgrep would find them: without those that ignore files name, without .git, links not followed.
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ToolContext } from '../lib/cli/tool.ts';
import { gitignore, type Matches } from '../lib/permissions/gitignore.ts';

interface Found {
  /** Absolute. */
  readonly path: string;
  readonly directory: boolean;
}

interface WalkOptions {
  /** Whether names that begin with a dot are found. */
  readonly dot: boolean;
  /** Whether ignore files count. */
  readonly ignore: boolean;
  readonly hidden: Matches;
  /** Below this many directories nothing is looked for. */
  readonly depth?: number;
}

interface Scope {
  readonly base: string;
  readonly matches: Matches;
}

const IGNORE_FILES = ['.gitignore', '.ignore'];

/** What may not be shown, as ai-permit has it from the rules: patterns from the root of the file system. */
export function hiddenBy(env: ToolContext['env']): Matches {
  if (!env.AI_HIDE) return () => false;
  const matches = gitignore(JSON.parse(env.AI_HIDE));
  return (path) => matches(path.slice(1));
}

/** Everything below a directory, directories before what is in them, names in order. */
export function* walk(root: string, options: WalkOptions): Generator<Found> {
  const scopes = options.ignore ? above(root) : [];
  yield* inside(root, scopes, options, options.depth ?? Number.POSITIVE_INFINITY);
}

function* inside(directory: string, outer: readonly Scope[], options: WalkOptions, depth: number): Generator<Found> {
  if (depth < 0) return;
  const scopes = options.ignore ? [...outer, ...scopesOf(directory)] : outer;
  for (const entry of entries(directory)) {
    const path = join(directory, entry.name);
    const isDirectory = entry.isDirectory();
    if (entry.name === '.git' || (!options.dot && entry.name.startsWith('.'))) continue;
    if (options.hidden(path) || (isDirectory && options.hidden(`${path}/`))) continue;
    if (isIgnored(path, isDirectory, scopes)) continue;
    yield { path, directory: isDirectory };
    if (isDirectory) yield* inside(path, scopes, options, depth - 1);
  }
}

function entries(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isIgnored(path: string, isDirectory: boolean, scopes: readonly Scope[]): boolean {
  return scopes.some(({ base, matches }) => matches(relative(base, path) + (isDirectory ? '/' : '')));
}

function scopesOf(directory: string): Scope[] {
  return IGNORE_FILES.flatMap((name) => {
    try {
      return [{ base: directory, matches: gitignore(readFileSync(join(directory, name), 'utf8').split(/\r?\n/)) }];
    } catch {
      return [];
    }
  });
}

/** The ignore files between a directory and the root of its repository. */
function above(root: string): Scope[] {
  const found: Scope[] = [];
  for (let at = root; ; at = dirname(at)) {
    if (at !== root) found.unshift(...scopesOf(at));
    if (statSync(join(at, '.git'), { throwIfNoEntry: false })) return found;
    if (dirname(at) === at) return [];
  }
}
