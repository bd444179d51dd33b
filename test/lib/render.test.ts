import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/commands/table.ts';
import { optionsOf } from '../../src/lib/cli/filter.ts';
import { run } from '../run.ts';

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

  test.each(['bash', 'zsh', 'fish'].filter(has))('%s can read its completion', async (shell) => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: await generate(shell), encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
