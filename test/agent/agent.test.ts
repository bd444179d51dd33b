// ai-agent from end to end: a scripted model solves a task in a real repository.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultServer } from '../fault-server.ts';
import { BUILT, bin } from '../loop.ts';
import { scriptedModel } from '../scripted-model.ts';
import { MENDING, Repository } from './place.ts';

let model: FaultServer;
let place: Repository;

async function setUp(...args: Parameters<typeof scriptedModel>): Promise<void> {
  await model?.[Symbol.asyncDispose]();
  place?.remove();
  model = await scriptedModel(...args);
  place = new Repository(model.url);
}

beforeEach(() => setUp(MENDING));
afterEach(async () => {
  await model[Symbol.asyncDispose]();
  place.remove();
});

const HARD = { timeout: 120_000 };

test('it is short, and plain POSIX shell', () => {
  const source = readFileSync(bin('ai-agent'), 'utf8');
  expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  expect(spawnSync('sh', ['-n', bin('ai-agent')]).status).toBe(0);
});

test.runIf(spawnSync('shellcheck', ['--version']).status === 0)('shellcheck finds nothing in it', () => {
  expect(spawnSync('shellcheck', ['-s', 'sh', bin('ai-agent')]).stdout.toString()).toBe('');
});

describe.skipIf(!BUILT)('a task', HARD, () => {
  test('is solved: read, test, edit, test, answer', async () => {
    const { stdout, stderr, status } = await place.run([place.conversation, 'mend sum.sh']);
    expect([stdout, stderr, status]).toEqual(['Mended: sum.sh subtracted.\n', '', 0]);
    expect(place.read('work/sum.sh')).toBe('echo $(($1 + $2))\n');
    expect(place.read('work/ran')).toBe('1\n2\n');
    expect(place.records.map(({ type, role }) => type ?? role ?? 'head').join(' ')).toBe(
      'head system user assistant tool started tool assistant started tool assistant started tool assistant',
    );
  });
});
