import { expect, test } from 'vitest';
import { COMMANDS } from '../src/commands/table.ts';
import { readCases, update } from './cases.ts';
import { shell } from './run.ts';

for (const found of readCases())
  test(`${found.name}: ${found.title}`, async () => {
    const result = await shell(found.command, { stdin: found.stdin, env: found.env });
    if (process.env.UPDATE) return update(found, result);
    expect(result).toEqual({ stdout: found.stdout, stderr: found.stderr, status: found.exit });
  });

for (const [name, load] of Object.entries(COMMANDS)) {
  const { default: filter } = await load();
  for (const example of filter.examples)
    test(`${name}: the example "${example.title}" does what it says`, async () => {
      const result = await shell(example.command, { stdin: example.stdin });
      expect(result).toEqual({ stdout: example.stdout, stderr: '', status: 0 });
    });
}
