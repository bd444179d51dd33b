// Deltas: whatever the pieces, the calls are those of the whole message, and plain text is passed on.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRAMMARS } from '../../../src/lib/grammars/table.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { asLines, readOut } from '../../laws/generate.ts';
import { spoken } from '../../lib/grammars/generate.ts';
import { run } from '../../run.ts';

function pieces(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => Math.floor(cut * text.length)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length)).filter((piece) => piece !== '');
}

const called = (records: readonly JsonObject[]) =>
  records
    .filter(({ name }) => name !== undefined)
    .map(({ name, arguments: given }) => [name, JSON.parse(String(given))]);

/** Formats whose calls stand by themselves, so that prose may follow them. */
const FORMATS = [
  'hermes-json',
  'qwen3-coder-xml',
  'glm-kv',
  'kimi-k2',
  'deepseek-v3.1',
  'mistral-v11',
  'gemma4',
  'antml',
];

describe('calls in deltas', () => {
  test.each(FORMATS)('%s', async (format) => {
    const grammar = GRAMMARS.find(({ name, write }) => name === format && write);
    await fc.assert(
      fc.asyncProperty(
        spoken,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
        async ({ calls, tools, before }, cuts) => {
          const text = `${before}${grammar?.write?.(calls, tools)}`;
          const definitions = calls.map(({ name }) => ({
            type: 'function',
            function: { name, parameters: tools.schema(name) },
          }));
          const deltas = pieces(text, cuts).map((piece) => ({ type: 'delta', index: 0, text: piece }));
          const stdin = asLines([{ model: 'm', tools: definitions as never }, ...deltas]);
          const out = readOut((await run('ai-recover-tools', [], { stdin })).stdout);
          expect(called(out)).toEqual(calls.map(({ name, input }) => [name, input]));
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 25) },
    );
  });
});

test('plain text is passed on piece by piece; white space waits for what follows it', async () => {
  const words = ['It is a long line of plain words, ', 'and nothing in it begins ', 'a call.'];
  const { stdout } = await run('ai-recover-tools', [], {
    stdin: asLines(words.map((text) => ({ type: 'delta', index: 0, text }))),
  });
  const texts = readOut(stdout).map(({ text }) => String(text));
  expect(texts.map((text) => text.trim())).toEqual(words.map((word) => word.trim()));
  expect(texts.join('')).toBe(words.join(''));
});

describe('parts of a reply', () => {
  const call = '<tool_call>{"name": "clock", "arguments": {"zone": "UTC"}}</tool_call>';
  const fence = `\`\`\`json\n{"name": "clock", "arguments": {"zone": "UTC"}}\n\`\`\``;
  const head = {
    model: 'm',
    tools: [{ type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }],
  };
  const out = async (args: string[], ...deltas: object[]) => {
    const records = [head, ...deltas.map((delta) => ({ type: 'delta', ...delta }))];
    return readOut((await run('ai-recover-tools', args, { stdin: asLines(records as never) })).stdout).slice(1);
  };

  test('white space within reasoning stays', async () => {
    const words = ['<think>I', ' should', ' look', '\n\n', 'twice.</think>', 'Yes.'];
    const told = await out([], ...words.map((text) => ({ index: 0, text })));
    expect(told.map(({ reasoning }) => reasoning ?? '').join('')).toBe('I should look\n\ntwice.');
    expect(told.map(({ text }) => text ?? '').join('')).toBe('Yes.');
  });

  test('a call that is structured as well is made once, whichever comes first', async () => {
    const structured = { index: 1, id: 'a', name: 'clock', arguments: '{"zone":"UTC"}' };
    expect(called(await out([], { index: 0, text: call }, structured))).toEqual([['clock', { zone: 'UTC' }]]);
    expect(called(await out([], { ...structured, index: 0 }, { index: 1, text: call }))).toHaveLength(1);
  });

  test('a fence is a call only where no text follows in another part', async () => {
    expect(called(await out([], { index: 0, text: fence }))).toHaveLength(1);
    expect(called(await out([], { index: 0, text: fence }, { index: 1, text: 'That is how.' }))).toEqual([]);
  });

  test('--in-reasoning looks into the reasoning of a stream', async () => {
    expect(called(await out([], { index: 0, reasoning: call }))).toEqual([]);
    expect(called(await out(['--in-reasoning'], { index: 0, reasoning: call }))).toHaveLength(1);
  });
});
