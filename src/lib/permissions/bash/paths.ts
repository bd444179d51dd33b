// The files that a script names: what may not be read or edited may not be named to a command either. A convenience: commands reach files that
// they do not name.
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { globOf } from '../../config/picomatch.ts';
import type { Script } from './commands.ts';
import type { ShellWord } from './words.ts';

interface NamedPath {
  readonly path: string;
  /** The directory that it is relative to. */
  readonly cwd: string;
  /** The command writes to it. */
  readonly writes: boolean;
}

/** Directories that are looked into, and names that a glob may stand for. */
const MOST = 2000;

const WRITERS = new Set(
  'tee sed cp mv rm rmdir dd truncate touch install ln chmod chown patch rsync shred unlink ed ex vi vim nano'.split(
    ' ',
  ),
);

/** Every word that may be a path, in each directory that the script may be in. */
export function pathsIn({ commands, targets }: Script, cwd: string, home: string): NamedPath[] {
  const directories = new Set([cwd]);
  const named: { word: ShellWord; writes: boolean }[] = [...targets];
  for (const { words } of commands) {
    const name = basename(words[0]?.value ?? '');
    for (const word of words.slice(1)) named.push({ word, writes: WRITERS.has(name) });
    const [, to] = words;
    if ((name === 'cd' || name === 'pushd') && to?.value !== undefined)
      directories.add(resolve(cwd, expand(to.value, home)));
    const at = words.findIndex(({ value }) => value === '-C');
    const there = at > 0 ? words[at + 1]?.value : undefined;
    if (there !== undefined) directories.add(resolve(cwd, expand(there, home)));
  }
  const all = named.flatMap(({ word, writes }) =>
    spellings(word, home).map((path) => ({ path, writes, glob: word.glob })),
  );
  return [...directories]
    .slice(0, 8)
    .flatMap((directory) =>
      all.flatMap(({ path, writes, glob }) =>
        (glob ? expandGlob(path, directory) : [path]).map((each) => ({ path: each, cwd: directory, writes })),
      ),
    );
}

/** A word, and what follows the signs that commonly stand before a path (`--file=x`, `@x`, `HEAD:x`, `if=x`). */
function spellings({ value, text }: ShellWord, home: string): string[] {
  const known =
    value ??
    text
      .replace(/^"?\$(HOME|\{HOME\})(?=\/)/, '~')
      .replace(/^"?\$(PWD|\{PWD\})(?=\/)/, '.')
      .replace(/"$/, '');
  if (value === undefined && /[$`]/.test(known)) return [];
  const pieces = known.split(/[\s=:@,;|&<>"'()]+/).filter((piece) => piece !== '');
  return [...new Set([known, ...pieces])].filter((path) => path !== '').map((path) => expand(path, home));
}

const expand = (path: string, home: string): string =>
  path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;

/** The names that a glob stands for now; the glob itself if there are none. */
function expandGlob(glob: string, cwd: string): string[] {
  let found = [glob.startsWith('/') ? '/' : ''];
  for (const part of glob.split('/').filter((each) => each !== '')) {
    const matches = globOf(part, part.startsWith('.'));
    const plain = !/[*?[\]{}()!+@]/.test(part);
    found = found.flatMap((before) =>
      plain
        ? [before + part]
        : namesIn(resolve(cwd, before))
            .filter((name) => matches(name))
            .map((name) => before + name),
    );
    found = found.slice(0, MOST).map((path) => `${path}/`);
  }
  return found.length > 0 ? found.map((path) => path.replace(/\/$/, '')) : [glob];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
