// Law 7: a filter that works per message yields what it can before it pulls more.
import { expect, test } from 'vitest';
import { run } from '../run.ts';

const LINES = ['{"role":"user","content":"a"}', '{"role":"assistant","content":"b"}', '{"role":"user","content":"c"}'];

/** How many lines were out when each line was asked for. */
async function outBefore(name: string, argv: readonly string[]): Promise<number[]> {
  let out = 0;
  const seen: number[] = [];
  function* chunks() {
    for (const line of LINES) {
      seen.push(out);
      yield Buffer.from(`${line}\n`);
    }
    seen.push(out);
  }
  const onStdout = (bytes: Uint8Array) => {
    out += bytes.filter((byte) => byte === 10).length;
  };
  const stdin = { [Symbol.iterator]: chunks } as unknown as Uint8Array[];
  await run(name, argv, { stdin, onStdout });
  return seen;
}

test.each([
  ['ai-transform', []],
  ['ai-transform', ['--to', 'openai']],
  ['ai-recover-tools', []],
])('%s %j: each record is out before the next is read', async (name, argv) => {
  expect(await outBefore(name, argv)).toEqual([0, 1, 2, 3]);
});

test('ai-transform --to anthropic: one message of look-ahead, since results join what follows', async () => {
  expect(await outBefore('ai-transform', ['--to', 'anthropic', '--from', 'openai'])).toEqual([0, 0, 1, 2]);
});
