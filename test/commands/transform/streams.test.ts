// Streamed replies of every API, read by the program as event streams and as lines of events.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/ir/json.ts';
import { APIS, streams } from '../../fixtures.ts';
import { asLines, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';

const asText = (events: readonly JsonObject[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** The reply in Chat's dialect, read as `from` where that is said. */
async function asOpenAI(stdin: string, from?: string): Promise<unknown> {
  const argv = ['--to', 'openai', '-q', ...(from === undefined ? [] : ['--from', from])];
  const { stdout, stderr } = await run('ai-transform', argv, { stdin });
  const [reply] = readOut(stdout);
  return { choices: reply?.choices, stderr };
}

for (const { name } of APIS.filter(({ name }) => name !== 'openai'))
  describe(name, () => {
    test.each(streams(name))('$name tells the reply', async ({ events, reply }) => {
      const whole = await asOpenAI(asLines([reply]), name);
      expect(await asOpenAI(asText(events), name)).toEqual(whole);
      expect(await asOpenAI(asText(events))).toEqual(whole);
      // A chunk of Gemini's is a reply by itself.
      if (name !== 'gemini') expect(await asOpenAI(asLines(events))).toEqual(whole);
    });
  });
