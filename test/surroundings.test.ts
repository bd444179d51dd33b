// What tests see of whoever starts them.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SET = { LC_ALL: 'C', TZ: 'UTC', TERM: 'dumb', NO_COLOR: '1', GIT_CONFIG_NOSYSTEM: '1' };

test.each(['sh', 'bash'])('%s lets go of every variable that is not named', (shell) => {
  const PATH = process.env.PATH ?? '';
  const env = {
    PATH,
    RUNS: '3',
    OPENAI_API_KEY: 'k',
    NEW_VARIABLE: 'two\nTZ=lines',
    FORCE_COLOR: '1',
    LC_ALL: 'POSIX',
  };
  const { stdout, stderr } = spawnSync(
    shell,
    ['-c', 'umask 077; . "$0"; umask; env -0', join(import.meta.dirname, 'surroundings.sh')],
    // A pipe of Node's is a socket, and with one for its input bash reads ~/.bashrc.
    { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [umask, said = ''] = stdout.split(/\n(.*)/s);
  const seen = said.split('\0').filter((pair) => pair !== '' && !/^(PWD|SHLVL|OLDPWD|_)=/.test(pair));
  expect([umask, stderr]).toEqual(['0022', '']);
  expect(seen.sort()).toEqual(
    Object.entries({ PATH, RUNS: '3', ...SET })
      .map((pair) => pair.join('='))
      .sort(),
  );
});

test('these tests run there, in a home where nothing is', () => {
  expect(process.env).toMatchObject({ ...SET, NODE_ENV: 'test' });
  const strange = Object.keys(process.env).filter((name) =>
    /_API_KEY$|_PROXY$|^(AWS|XDG|NODE|npm|GIT)_|^FORCE_/i.test(name),
  );
  expect(strange.sort()).toEqual(['FORCE_TTY', 'GIT_CONFIG_NOSYSTEM', 'NODE_ENV']);
  // Programs that other tests have run keep their compiled code there.
  expect(readdirSync(homedir()).filter((name) => name !== '.cache')).toEqual([]);
  expect(process.umask()).toBe(0o022);
});

test('what a test writes on the console fails it', () => {
  expect(() => console.warn('%s', 'noise')).toThrow('console.warn: noise');
});
