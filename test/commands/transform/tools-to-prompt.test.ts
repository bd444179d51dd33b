// recover(inject(conversation)) = conversation: what --tools-to-prompt writes, ai-recover-tools reads, in every format.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writable } from '../../../src/lib/grammars/tool-prompt.late.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { asLines, asOpenAI, conversation, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';

const TOOLS = ['Read', 'Write', 'Bash'].map((name) => ({ type: 'function', function: { name } }));
const HEAD = { model: 'm', tools: TOOLS, tool_choice: 'auto' };

/** What the assistant called in each message, without ids. */
function calls(records: readonly JsonObject[]): unknown[] {
  return records
    .filter(({ role }) => role === 'assistant')
    .map(({ tool_calls }) =>
      ((tool_calls ?? []) as { function: { name: string; arguments: string } }[]).map((call) => [
        call.function.name,
        JSON.parse(call.function.arguments),
      ]),
    );
}

/** Text in which nothing looks like a call or the like: what the model says beside its calls is not of interest here. */
const isPlain = (value: unknown): boolean => !/[<{[(:=>*|&`~✿◁#]/u.test(String(value ?? ''));

/** Formats without JSON cannot spell every name of an argument; those of real tools they can. */
const areNames = (call: unknown): boolean =>
  Object.keys((call as [string, object])[1]).every((name) => /^[\w.-]+$/.test(name));

describe('a conversation goes into the prompt and comes back', () => {
  test.each(writable())('%s', async (format) => {
    await fc.assert(
      fc.asyncProperty(conversation, async (spoken) => {
        const messages = asOpenAI(spoken);
        fc.pre(messages.every(({ role, content }) => role !== 'assistant' || isPlain(content)));
        fc.pre(
          calls(messages)
            .flat()
            .every((call) => areNames(call)),
        );
        const written = await run('ai-transform', [`--tools-to-prompt=${format}`, '-q'], {
          stdin: asLines([HEAD, ...messages]),
        });
        expect(written.status).toBe(0);
        const asText = readOut(written.stdout);
        expect(asText.some((record) => 'tools' in record || 'tool_calls' in record || record.role === 'tool')).toBe(
          false,
        );
        const back = await run('ai-recover-tools', ['--trust-quotes'], { stdin: written.stdout });
        expect(calls(readOut(back.stdout))).toEqual(calls(messages));
      }),
      { numRuns: Number(process.env.RUNS ?? 15) },
    );
  });
});

test('a second run changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, async (spoken) => {
      const once = await run('ai-transform', ['--tools-to-prompt'], { stdin: asLines([HEAD, ...asOpenAI(spoken)]) });
      const twice = await run('ai-transform', ['--tools-to-prompt'], { stdin: once.stdout });
      expect(twice.stdout).toBe(once.stdout);
    }),
    { numRuns: 50 },
  );
});
