// What the documentation shows is true: its rules pass their own tests, its settings and models are taken.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './run.ts';

const text = readFileSync(join(import.meta.dirname, '../docs/routing.md'), 'utf8');
const [rules = '', settings = '', models = ''] = [...text.matchAll(/```(?:yaml|json)\n(.*?)```/gs)].map(
  ([, block]) => block,
);

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'docs-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const file = (name: string, content: string): string => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};

const stdin = '{"role":"user","content":"hi"}\n';

test('the rules pass their tests', async () => {
  const { stdout, stderr, status } = await run('ai-route', ['--check', file('rules.yaml', rules)], { cwd: dir });
  expect([stderr, status, stdout]).toEqual(['', 0, expect.stringMatching(/^1\.\.3\n(ok .*\n){3}$/)]);
});

test('the settings and the models are taken', async () => {
  const home = mkdtempSync(join(dir, 'home-'));
  const config = join(home, 'ai');
  mkdirSync(config);
  writeFileSync(join(config, 'config.yaml'), settings);
  writeFileSync(join(config, 'models.json'), models);
  const options = { cwd: dir, env: { XDG_CONFIG_HOME: home }, stdin };
  expect(await run('ai-route', ['--dry-run', '-m', 'zork'], options)).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('"provider":"box"'),
  });
  expect(await run('ai-route', ['--dry-run'], options)).toMatchObject({
    stdout: expect.stringContaining('names sonnet'),
  });
});

test('every option and alias that is told of is there', async () => {
  const { stdout: help } = await run('ai-route', ['--help'], {});
  for (const [option] of text.matchAll(/--[a-z][a-z-]+/g)) expect(help, option).toContain(option);
  for (const name of ['opus', 'coding', 'fast', 'cheap', 'long', 'sonnet 4.6', 'gpt5 mini', 'http://box:11434/llama3'])
    expect((await run('ai-route', ['-m', name], { stdin, env: {} })).status, name).toBe(0);
});
