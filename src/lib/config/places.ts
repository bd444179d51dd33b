// Where the user's and the project's files are.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** Who may say what. The user's own files may name commands and secrets; one that the command line names may not, since it may be a project's. */
export type Trust = 'user' | 'named';

export interface Place {
  readonly of: 'user' | 'project';
  readonly dir: string;
}

const NAMES = ['config.yaml', 'config.yml', 'config.json'];

/**
 * The user's directory, `$XDG_CONFIG_HOME/ai` or `~/.config/ai`; undefined without a home. A relative one does not count, since it would be the
 * working directory's (https://specifications.freedesktop.org/basedir-spec/latest/).
 */
export function userDir({ XDG_CONFIG_HOME: own, HOME: home }: Env): string | undefined {
  const base = own && isAbsolute(own) ? own : home && isAbsolute(home) ? join(home, '.config') : undefined;
  return base === undefined ? undefined : join(base, 'ai');
}

/** The directories that are there: the user's, then the project's. */
export function places(env: Env, cwd: string): Place[] {
  const user = userDir(env);
  const project = projectDir(cwd);
  return [
    ...(user !== undefined && existsSync(user) ? [{ of: 'user', dir: user } as const] : []),
    ...(project !== undefined ? [{ of: 'project', dir: project } as const] : []),
  ];
}

/**
 * `.ai` of the working directory, or of the nearest one above it within the same repository. Beyond the repository, and outside of one, nothing
 * is looked for: a directory above may be anybody's.
 */
function projectDir(cwd: string): string | undefined {
  let found: string | undefined;
  for (let dir = cwd; ; dir = dirname(dir)) {
    const own = join(dir, '.ai');
    if (found === undefined && existsSync(own)) found = own;
    if (existsSync(join(dir, '.git'))) return found;
    if (dir === dirname(dir)) break;
  }
  const own = join(cwd, '.ai');
  return found === own ? own : undefined;
}

/** The configuration file of a directory; undefined if it has none. */
export const configFile = (dir: string): string | undefined =>
  NAMES.map((name) => join(dir, name)).find((path) => existsSync(path));

/** Files that are read as soon as they are there. */
export function possibleFiles(env: Env, cwd: string): string[] {
  const user = userDir(env);
  return [...(user === undefined ? [] : [user]), join(cwd, '.ai')].flatMap((dir) =>
    [...NAMES, 'models.json'].map((name) => join(dir, name)),
  );
}

/** The file of models of a directory; undefined if it has none. */
export function modelsFile(dir: string): string | undefined {
  const path = join(dir, 'models.json');
  return existsSync(path) ? path : undefined;
}
