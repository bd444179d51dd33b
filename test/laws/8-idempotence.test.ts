// Law 8: condensing at one budget, recovering, and transforming to one dialect change nothing the second time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FORMATS } from '../../src/lib/dialects/table.ts';
import { run } from '../run.ts';
import { asLines, asOpenAI, conversation } from './generate.ts';

async function twice(name: string, argv: readonly string[], stdin: string): Promise<void> {
  const once = await run(name, argv, { stdin });
  if (once.status !== 0) return;
  expect(await run(name, argv, { stdin: once.stdout })).toEqual({ ...once, stderr: expect.any(String) });
}

test('condense', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, fc.integer({ min: 20, max: 2000 }), (spoken, budget) =>
      twice('ai-condense', ['--budget', String(budget)], asLines(asOpenAI(spoken))),
    ),
    { numRuns: 100 },
  );
});

test('transform', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, fc.constantFrom(...FORMATS.map(({ name }) => name)), (spoken, to) =>
      twice('ai-transform', ['--to', to], asLines(asOpenAI(spoken))),
    ),
    { numRuns: 300 },
  );
});

test('recover', async () => {
  const call = (name: string) =>
    `before <tool_call>{"name":"${name}","arguments":{"a":"<tool_call>"}}</tool_call> after`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(call('x'), call('y'), '<tool_call>', '</tool_call>', '{"name":"x"}', 'text'), {
        maxLength: 6,
      }),
      (texts) => twice('ai-recover-tools', [], asLines([{ role: 'assistant', content: texts.join('') }])),
    ),
    { numRuns: 200 },
  );
});
