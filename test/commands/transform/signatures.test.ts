// Gemini 3 refuses a step whose first call has no signature: what --repair writes there, conversions and requests write too.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { faultServer, json } from '../../fault-server.ts';
import { asLines, asOpenAI, readOut } from '../../laws/generate.ts';
import { run } from '../../run.ts';

const MARK = 'skip_thought_signature_validator';
const API_NAMES = ['openai', 'anthropic', 'openai-responses', 'bedrock', 'mistral', 'cohere', 'ollama'];
const call = (name: string) => ({ name, input: { path: 'a' }, result: 'A' });
const CHAT = asOpenAI({
  system: undefined,
  turns: [
    {
      ask: 'Read a.',
      steps: [{ calls: [call('Read'), call('Read')] }, { text: 'And b.', calls: [call('Read')] }],
      answer: 'It says A.',
    },
    { ask: 'Again.', steps: [{ calls: [call('Read')] }], answer: 'Still A.' },
  ],
} as never).slice(0, -1);

const step = async (records: readonly JsonObject[], ...argv: string[]): Promise<JsonObject[]> =>
  readOut((await run('ai-transform', ['-q', ...argv], { stdin: asLines(records) })).stdout);

/** The signature of each call, content by content. */
const signatures = (contents: readonly JsonObject[]): unknown[] =>
  contents
    .map(({ parts }) => (Array.isArray(parts) ? (parts as JsonObject[]) : []))
    .map((parts) => parts.filter(({ functionCall }) => functionCall).map((part) => part.thoughtSignature ?? null))
    .filter((list) => list.length > 0);

describe.each(API_NAMES)('calls of %s', (from) => {
  test.each([
    ['gemini-3-pro-preview', MARK],
    ['google/gemini-3.1-flash', MARK],
    ['gemini-2.5-pro', null],
    ['gemini-flash-latest', null],
    ['gpt-5', null],
  ])('for %s', async (model, first) => {
    const stream = await step(CHAT, '--to', from);
    const contents = await step(stream, '--from', from, '--to', 'gemini', '-m', model);
    expect(signatures(contents)).toEqual([[first, null], [first], [first]]);
    const head = { model, generationConfig: {} };
    const { stdout } = await run('ai-transform', ['--from', 'gemini', '--check'], {
      stdin: asLines([head, ...contents]),
    });
    expect(stdout).not.toContain('signed-calls');
    const back = await step(contents, '--from', 'gemini', '--to', from, '-m', 'other');
    expect(JSON.stringify(back)).not.toContain(MARK);
  });
});

test('a model that the head names is known too', async () => {
  const head = { model: 'gemini-3-pro-preview', messages: CHAT };
  const [whole] = await step([head], '--to', 'gemini');
  expect(signatures(whole?.contents as JsonObject[])).toEqual([[MARK, null], [MARK], [MARK]]);
});

test('a signature that is there stays', async () => {
  const signed = [
    { role: 'user', parts: [{ text: 'Read a.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'Read', args: {} }, thoughtSignature: 'c2ln' }] },
  ];
  expect(signatures(await step(signed, '--to', 'gemini', '-m', 'gemini-3-pro'))).toEqual([['c2ln']]);
  const unsigned = [signed[0], { role: 'model', parts: [{ functionCall: { name: 'Read', args: {} } }] }];
  expect(signatures(await step(unsigned as JsonObject[], '--to', 'gemini', '-m', 'gemini-3-pro'))).toEqual([[MARK]]);
  expect(signatures(await step(unsigned as JsonObject[], '--to', 'gemini'))).toEqual([[null]]);
});

test('the mark is no loss on the way back', async () => {
  const contents = await step(CHAT, '--to', 'gemini', '-m', 'gemini-3-pro');
  const { stderr } = await run('ai-transform', ['--to', 'openai'], { stdin: asLines(contents) });
  expect(stderr).not.toMatch(/thoughtSignature/);
});

describe('what ai-complete sends', () => {
  const reply = { candidates: [{ content: { role: 'model', parts: [{ text: 'A.' }] }, finishReason: 'STOP' }] };
  test.each([
    ['google/gemini-3-pro-preview', MARK],
    ['google/gemini-2.5-pro', null],
  ])('to %s', async (model, first) => {
    for (const from of [...API_NAMES, 'gemini']) {
      await using server = await faultServer(json(200, reply));
      const stream = await step(CHAT, '--to', from);
      const argv = ['-q', '-m', model, '--base-url', server.url];
      const { status, stderr } = await run('ai-complete', argv, { stdin: asLines(stream), env: { AI_API_KEY: 'k' } });
      expect(status, `${from}: ${stderr}`).toBe(0);
      const { contents } = JSON.parse(server.asked[0]?.body ?? '{}');
      expect(signatures(contents), from).toEqual([[first, null], [first], [first]]);
    }
  });
});
