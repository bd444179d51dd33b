// Without --preprocess the bytes are those of a build that does not have the feature.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CORPORA } from '../../fixtures.ts';
import type { run as Run } from '../../run.ts';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/ai-coreutils');

/** The programs in one file, with the preprocessor or with files in its place that cannot be loaded. */
async function bundle(name: string, without: boolean): Promise<typeof Run> {
  const outfile = join(dir, `${name}.mjs`);
  await build({
    absWorkingDir: root,
    stdin: { contents: `export { run } from './test/run.ts';`, resolveDir: root },
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    plugins: [
      {
        name,
        setup({ onLoad }) {
          onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({
            loader: 'ts',
            contents:
              without && path.includes('/route/preprocess/')
                ? `throw new Error('this build has no preprocessor'); export const preprocess = 0, wrapCompletion = 0;`
                : readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
          }));
        },
      },
    ],
  });
  return (await import(outfile)).run;
}

let dir: string;
let whole: typeof Run;
let without: typeof Run;

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  dir = mkdtempSync(join(cache, 'preprocess-'));
  [whole, without] = [await bundle('whole', false), await bundle('without', true)];
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the other build has no preprocessor', async () => {
  const stdin = '{"tools":[{"type":"function","function":{"name":"a"}}],"messages":[{"role":"user","content":"Hi"}]}\n';
  for (const option of ['--preprocess', '--wrap-completion']) {
    expect((await whole('ai-route', ['-m', 'gpt-4o', option], { stdin })).status).toBe(0);
    expect((await without('ai-route', ['-m', 'gpt-4o', option], { stdin })).stderr).toContain('no preprocessor');
  }
});

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));

const POLICIES = [
  [],
  ['-m', 'openai/gpt-4o'],
  ['--priority', 'cost', '--need', 'tools', '--explain'],
  ['--strategy', 'round-robin', '--dry-run'],
  ['--task', 'debugging', '--budget', '0.5'],
  ['--replay', '-m', 'fast'],
];

describe.each([
  ['fixtures', join(root, 'test/fixtures')],
  ...(CORPORA === undefined ? [] : [['recorded conversations', join(CORPORA, 'conversations')]]),
])('%s', (_, folder = '') => {
  test.each(POLICIES.map((argv) => [argv]))('%j', { timeout: 60_000 }, async (argv) => {
    let written = 0;
    for (const file of files(folder)) {
      const stdin = readFileSync(file);
      const options = ['--keep-going', '--credentials', 'ignore', ...argv];
      const [ours, theirs] = [
        await whole('ai-route', options, { stdin }),
        await without('ai-route', options, { stdin }),
      ];
      expect(theirs, file).toEqual(ours);
      expect(ours.stdout).not.toContain('"preprocess"');
      written += ours.stdout.length;
    }
    expect(written).toBeGreaterThan(1000);
  });
});
