// Where the built programs keep compiled code, and where they keep none.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILT, bin } from './loop.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'code-'));
  mkdirSync(join(place, 'tmp'));
  mkdirSync(join(place, 'home'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** The files with compiled code that a run leaves anywhere below the place, which is its directory for temporary files as well. */
function kept(env: Readonly<Record<string, string>>): string[] {
  const { status } = spawnSync(bin('ai-wc'), [], {
    input: '{"role":"user","content":"x"}\n',
    cwd: place,
    env: { PATH: process.env.PATH, TMPDIR: join(place, 'tmp'), ...env },
  });
  expect(status).toBe(0);
  return globSync(['**/*', '**/.cache/**/*'], { cwd: place, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(place.length + 1));
}

/** A folder for caches, with the folders of ours in it as `change` leaves them. */
function prepared(change: (path: (name: string) => string) => void): string {
  mkdirSync(join(place, 'cache/ai-coreutils/code'), { recursive: true, mode: 0o700 });
  change((name) => join(place, name));
  return join(place, 'cache');
}

describe.skipIf(!BUILT)('compiled code', () => {
  test('is kept in the folder for caches', () => {
    expect(kept({ HOME: join(place, 'home') }).every((file) => file.startsWith('home/.cache/ai-coreutils/code/'))).toBe(
      true,
    );
    expect(kept({ HOME: join(place, 'home') })).not.toEqual([]);
    const given = kept({ XDG_CACHE_HOME: prepared(() => {}) }).filter((file) => file.startsWith('cache/'));
    expect(given).not.toEqual([]);
  });

  test.each<Record<string, string>>([
    {},
    { HOME: '' },
    { HOME: '', XDG_CACHE_HOME: '' },
    { HOME: 'home' },
    { HOME: './home' },
    { XDG_CACHE_HOME: 'cache' },
    { XDG_CACHE_HOME: '.', HOME: '' },
  ])('is kept nowhere with %j', (env) => {
    expect(kept(env)).toEqual([]);
  });

  test.each(['cache', 'cache/ai-coreutils', 'cache/ai-coreutils/code'])(
    'is kept nowhere if others may write to %s',
    (name) => {
      for (const mode of [0o777, 0o1777, 0o775]) {
        const XDG_CACHE_HOME = prepared((path) => chmodSync(path(name), mode));
        expect(kept({ XDG_CACHE_HOME })).toEqual([]);
        rmSync(join(place, 'cache'), { recursive: true });
      }
    },
  );

  test('is kept nowhere below a folder in which others may put another in its place', () => {
    chmodSync(join(place, 'home'), 0o777);
    expect(kept({ HOME: join(place, 'home') })).toEqual([]);
  });

  test('is kept nowhere behind a link to such a folder', () => {
    mkdirSync(join(place, 'open'));
    chmodSync(join(place, 'open'), 0o777);
    symlinkSync(join(place, 'open'), join(place, 'home/.cache'));
    expect(kept({ HOME: join(place, 'home') })).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0).each(['cache', 'cache/ai-coreutils', 'cache/ai-coreutils/code'])(
    "is kept nowhere if %s is another user's",
    (name) => {
      const XDG_CACHE_HOME = prepared((path) => chownSync(path(name), 65534, 65534));
      expect(kept({ XDG_CACHE_HOME })).toEqual([]);
    },
  );
});
