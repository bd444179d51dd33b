// Grep, Glob, LS and their other names; the search without ripgrep finds what ripgrep finds.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTool } from '../run.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'search-')));
  put('.git/config', 'needle');
  put('.gitignore', 'built/\n*.log\n');
  put('src/a.ts', 'one\nneedle 1\nthree\nfour\nneedle 2\n');
  put('src/b.js', 'NEEDLE\n');
  put('src/deep/c.ts', 'x\nneedle\ny\nz\nw\nneedle\n');
  put('src/deep/.hidden', 'needle');
  put('built/d.ts', 'needle');
  put('x.log', 'needle');
  put('bin', 'needle\0');
  put('wide.txt', `needle ${'x'.repeat(2000)}\n`);
  symlinkSync('/etc', join(cwd, 'out'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), text);
}

const withRg = spawnSync('rg', ['--version']).status === 0;
/** Where our own walk must do, since nothing is there. */
const nothing = mkdtempSync(join(tmpdir(), 'empty-'));
afterAll(() => rmSync(nothing, { recursive: true, force: true }));
const engines: [string, string][] = [
  ...(withRg ? [['ripgrep', process.env.PATH ?? ''] as [string, string]] : []),
  ['our own walk', nothing],
];

async function grep(input: object, PATH: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr, status } = await useTool('Grep', input, { cwd, env: { PATH, ...env } });
  return status === 0 ? stdout : `! ${stderr}`;
}

describe.each(engines)('Grep by %s', (_engine, PATH) => {
  test.each<[string, object, string]>([
    ['files', { pattern: 'needle' }, 'src/a.ts\nsrc/deep/c.ts\nwide.txt\n'],
    ['counts', { pattern: 'needle', output_mode: 'count' }, 'src/a.ts:2\nsrc/deep/c.ts:2\nwide.txt:1\n'],
    [
      'lines',
      { pattern: 'needle', output_mode: 'content', path: 'src' },
      'src/a.ts:2:needle 1\nsrc/a.ts:5:needle 2\nsrc/deep/c.ts:2:needle\nsrc/deep/c.ts:6:needle\n',
    ],
    ['lines without numbers', { pattern: 'needle 1', output_mode: 'content', '-n': false }, 'src/a.ts:needle 1\n'],
    [
      'a file',
      { pattern: 'needle', output_mode: 'content', path: 'src/a.ts', '-A': 1 },
      'src/a.ts:2:needle 1\nsrc/a.ts-3-three\n--\nsrc/a.ts:5:needle 2\n',
    ],
    [
      'context',
      { pattern: 'needle', path: 'src/deep', output_mode: 'content', '-C': 1 },
      'src/deep/c.ts-1-x\nsrc/deep/c.ts:2:needle\nsrc/deep/c.ts-3-y\n--\nsrc/deep/c.ts-5-w\nsrc/deep/c.ts:6:needle\n',
    ],
    ['any case', { pattern: 'needle', '-i': true, glob: '*.js' }, 'src/b.js\n'],
    ['a glob with directories', { pattern: 'needle', glob: 'src/**/*.ts' }, 'src/a.ts\nsrc/deep/c.ts\n'],
    ['a kind', { pattern: '(?i)needle', type: 'js' }, 'src/b.js\n'],
    [
      'over lines',
      { pattern: 'three.four', multiline: true, output_mode: 'content' },
      'src/a.ts:3:three\nsrc/a.ts:4:four\n',
    ],
    ['line ends', { pattern: '^needle$', output_mode: 'content' }, 'src/deep/c.ts:2:needle\nsrc/deep/c.ts:6:needle\n'],
    ['nothing', { pattern: 'nowhere' }, 'No matches found.\n'],
    [
      'a limit',
      { pattern: 'needle', head_limit: 1 },
      'src/a.ts\n(there is more: head_limit is 1; continue with offset 1)\n',
    ],
    [
      'an offset',
      { pattern: 'needle', head_limit: 1, offset: 1 },
      'src/deep/c.ts\n(there is more: head_limit is 1; continue with offset 2)\n',
    ],
    [
      'a link outside',
      { pattern: 'root', path: 'out' },
      `! out (it leads to /etc) is outside of ${'CWD'}, where this tool may work\n`,
    ],
    ['no directory', { pattern: 'x', path: 'nope' }, '! nope: there is no such file or directory\n'],
  ])('finds %s', async (_what, input, wanted) => {
    expect(await grep(input, PATH)).toBe(wanted.replace('CWD', cwd));
  });

  test('cuts wide lines, refuses what is no pattern, and hides what may not be read', async () => {
    expect((await grep({ pattern: 'needle', output_mode: 'content', glob: 'wide.txt' }, PATH)).length).toBeLessThan(
      600,
    );
    expect(await grep({ pattern: '(' }, PATH)).toMatch(/^! /);
    expect(
      await grep({ pattern: 'needle' }, PATH, {
        AI_HIDE: JSON.stringify([`${cwd}/src/deep/**`, `${cwd}/**/wide.txt`]),
      }),
    ).toBe('src/a.ts\n');
  });

  test('a hostile pattern on a hostile line takes linear time', async () => {
    put('evil.txt', `${'a'.repeat(50_000)}!`);
    expect(await grep({ pattern: '^(a+)+$', glob: 'evil.txt' }, PATH)).toBe('No matches found.\n');
  });
});

test('search_files is the same, in Roo’s words', async () => {
  const { stdout } = await useTool(
    'search_files',
    { path: 'src', regex: 'needle \\d', file_pattern: '*.ts' },
    { cwd, env: { PATH: process.env.PATH ?? '' } },
  );
  expect(stdout).toBe('src/a.ts:2:needle 1\nsrc/a.ts:5:needle 2\n');
});

test.skipIf(!withRg)('both engines find the same in any tree', { timeout: 120_000 }, async () => {
  const name = fc.constantFrom('a.ts', 'b.js', '.dot', 'c.log', 'd.md');
  const directory = fc.constantFrom('', 'p/', 'p/q/', '.h/', 'node_modules/');
  const line = fc.constantFrom('', 'foo', 'foo bar', 'barfoo', 'FOO', 'ba\tr', 'ü foo', 'foo\r');
  const files = fc.array(fc.tuple(directory, name, fc.array(line, { maxLength: 6 })), { maxLength: 6 });
  const ignores = fc.subarray(['*.log', 'p/', '/a.ts', 'q', '!a.ts', 'node_modules', 'p/*.js', '**/b.js']);
  const input = fc.record({
    pattern: fc.constantFrom('foo', '^foo', 'foo$', 'ba.?r', 'fo+', '\\bfoo\\b', 'ü', '(?i)foo', '[^f]oo', 'x*'),
    output_mode: fc.constantFrom('content', 'files_with_matches', 'count'),
    '-C': fc.nat(2),
    '-i': fc.boolean(),
    glob: fc.constantFrom('*', '*.ts', '*.{js,ts}', 'p/**', '**/a.*'),
  });
  await fc.assert(
    fc.asyncProperty(files, ignores, input, async (tree, ignored, search) => {
      rmSync(cwd, { recursive: true, force: true });
      mkdirSync(join(cwd, '.git'), { recursive: true });
      put('.gitignore', `${ignored.join('\n')}\n`);
      for (const [where, file, text] of tree) put(where + file, text.join('\n'));
      expect(await grep(search, nothing)).toBe(await grep(search, process.env.PATH ?? ''));
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
});

describe('Glob', () => {
  const glob = async (input: object, env: Readonly<Record<string, string>> = {}) => {
    const { stdout, stderr } = await useTool('Glob', input, { cwd, env });
    return stdout || `! ${stderr}`;
  };

  test('finds names, the latest first', async () => {
    utimesSync(join(cwd, 'src/a.ts'), 1000, 1000);
    utimesSync(join(cwd, 'src/deep/c.ts'), 2000, 2000);
    expect(await glob({ pattern: '**/*.ts' })).toBe('src/deep/c.ts\nsrc/a.ts\n');
    expect(await glob({ pattern: 'src/*.ts' })).toBe('src/a.ts\n');
    expect(await glob({ pattern: '*.ts', path: 'src/deep' })).toBe('src/deep/c.ts\n');
    expect(await glob({ pattern: 'src/a.ts' })).toBe('src/a.ts\n');
    expect(await glob({ pattern: `${cwd}/src/*.js` })).toBe('src/b.js\n');
    expect(await glob({ pattern: '**/.hid*' })).toBe('src/deep/.hidden\n');
    expect(await glob({ pattern: '**/*.none' })).toBe('No files found.\n');
    expect(await glob({ pattern: '**/*.ts' }, { AI_HIDE: JSON.stringify([`${cwd}/src/deep`]) })).toBe('src/a.ts\n');
  });

  test.each(['../*', '/etc/*', 'out/*', 'src/../../*', '{../x,/etc/*}/*'])(
    '%s leads nowhere outside',
    async (pattern) => {
      expect(await glob({ pattern })).not.toMatch(/passwd|host/);
    },
  );
});

describe('LS', () => {
  test('lists one level, or with recursive what ignore files leave', async () => {
    const ls = async (name: string, input: object) => (await useTool(name, input, { cwd })).stdout;
    expect(await ls('LS', { path: '.' })).toBe('.gitignore\nbin\nbuilt/\nout\nsrc/\nwide.txt\nx.log\n');
    expect(await ls('LS', { path: 'src', ignore: ['*.js'] })).toBe('a.ts\ndeep/\n');
    expect(await ls('list_files', { path: '.', recursive: true })).toBe(
      'bin\nout\nsrc/\nsrc/a.ts\nsrc/b.js\nsrc/deep/\nsrc/deep/c.ts\nwide.txt\n',
    );
    mkdirSync(join(cwd, 'empty'));
    expect(await ls('list_files', { path: 'empty' })).toBe('(the directory is empty)\n');
    expect((await useTool('LS', { path: 'wide.txt' }, { cwd })).stderr).toBe('wide.txt is a file: read it instead\n');
  });
});
