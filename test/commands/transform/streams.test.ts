// Streamed replies of every API, read by the program as event streams and as lines of events.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/ir/json.ts';
import { APIS, streams } from '../../fixtures.ts';
import { run } from '../../run.ts';

const asText = (events: readonly JsonObject[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const asLines = (values: readonly JsonObject[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

async function asOpenAI(stdin: string, from: string): Promise<unknown> {
  const { stdout, stderr } = await run('ai-transform', ['--to', 'openai', '-q', '--from', from], { stdin });
  const [reply] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { choices: reply?.choices, stderr };
}

async function unasked(stdin: string): Promise<unknown> {
  const { stdout, stderr } = await run('ai-transform', ['--to', 'openai', '-q'], { stdin });
  const [reply] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { choices: reply?.choices, stderr };
}

for (const { name } of APIS.filter(({ name }) => name !== 'openai'))
  describe(name, () => {
    test.each(streams(name))('$name tells the reply', async ({ events, reply }) => {
      const whole = await asOpenAI(asLines([reply]), name);
      expect(await asOpenAI(asText(events), name)).toEqual(whole);
      expect(await unasked(asText(events))).toEqual(whole);
      // A chunk of Gemini's is a reply by itself.
      if (name !== 'gemini') expect(await unasked(asLines(events))).toEqual(whole);
    });
  });
