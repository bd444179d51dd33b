import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/commands/table.ts';
import { optionsOf } from '../../src/lib/cli/filter.ts';
import { run } from '../run.ts';

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'render-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

describe.each(Object.keys(COMMANDS))('%s', (name) => {
  const generate = async (what: string) => (await run(name, ['--generate', what])).stdout;

  test.each(['man', 'bash', 'zsh', 'fish'])('%s names every option', async (what) => {
    const filter = await COMMANDS[name]?.();
    const text = (await generate(what)).replaceAll('\\-', '-');
    for (const option of Object.keys(optionsOf(filter?.default as never)))
      expect(text).toContain(what === 'fish' ? `-l ${option}` : `--${option}`);
  });

  test.runIf(has('groff'))('the manual page is well-formed', async () => {
    const { stderr, stdout } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-z'], {
      input: await generate('man'),
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`).toBe('');
  });

  describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
    test.runIf(has(shell))('can read its completion', async () => {
      // From a file: a pipe of Node's is a socket, which fish does not read.
      const file = join(place, `${name}.${shell}`);
      writeFileSync(file, await generate(shell));
      const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });
  });
});
