// --sse: the records of one turn are one reply, whether they come at once, one by one, or in pieces before.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { faultServer, json } from '../../fault-server.ts';
import { asLines } from '../../laws/generate.ts';
import { run } from '../../run.ts';

const ITEMS: readonly JsonObject[] = [
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look.' }], encrypted_content: 'eA==' },
  { role: 'assistant', content: 'A moment.' },
  { type: 'function_call', call_id: 'call_1', name: 'Read', arguments: '{"path":"a"}' },
  { type: 'function_call', call_id: 'call_2', name: 'Read', arguments: '{"path":"b"}' },
];
const PLAIN = ITEMS.slice(1);

/** What ends a reply in each API's stream, and how often a call is told. */
const ENDS: { readonly [to: string]: RegExp } = {
  openai: /"finish_reason":"tool_calls"/g,
  anthropic: /"type":"message_stop"/g,
  gemini: /"finishReason":"STOP"/g,
  'openai-responses': /"type":"response.completed"/g,
  bedrock: /"stopReason":"tool_use"/g,
  mistral: /"finish_reason":"tool_calls"/g,
  cohere: /"finish_reason":"TOOL_CALL"/g,
  ollama: /"done":true/g,
};

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** Each call and its arguments, and the text, once in the stream (a stream of Responses says all once more at its ends). */
function expectOne(stdout: string, to: string): void {
  expect(count(stdout, ENDS[to] as RegExp), stdout).toBe(1);
  for (const said of ['A moment.', 'call_1', 'call_2', 'Read'])
    if (to !== 'ollama' || !said.startsWith('call_')) expect(stdout, `${to}: ${said}`).toContain(said);
}

describe.each(Object.keys(ENDS))('to %s', (to) => {
  test.each([
    ['items', ITEMS],
    ['items that begin as any dialect would', PLAIN],
  ])('%s are one reply', async (_, items) => {
    for (const from of [[], ['--from', 'openai-responses']]) {
      const { stdout, status, stderr } = await run('ai-transform', ['-q', ...from, '--to', to, '--sse'], {
        stdin: asLines(items),
      });
      expect(status, stderr).toBe(0);
      expectOne(stdout, to);
    }
  });

  test('a reply whose record says why it ended is over', async () => {
    const last = { ...ITEMS[3], _meta: { id: 'resp_1', model: 'm', stop: { reason: 'tool_calls', raw: 'completed' } } };
    const turn = [...ITEMS.slice(0, 3), last];
    const { stdout } = await run('ai-transform', ['-q', '--to', to, '--sse'], { stdin: asLines([...turn, ...turn]) });
    expect(count(stdout, ENDS[to] as RegExp)).toBe(2);
  });

  test('pieces of an answer are told as they come', async () => {
    const chat = {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'deepseek-chat',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'A moment.',
            tool_calls: ['a', 'b'].map((path, i) => ({
              id: `call_${i + 1}`,
              type: 'function',
              function: { name: 'Read', arguments: JSON.stringify({ path }) },
            })),
          },
          finish_reason: 'tool_calls',
        },
      ],
    };
    await using server = await faultServer(json(200, chat));
    for (const begin of [
      '{"role":"user","content":"Hi"}',
      '{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}',
    ]) {
      const argv = ['-q', '-n', '--stream', '-m', 'deepseek/deepseek-chat', '--base-url', server.url];
      const answer = await run('ai-complete', argv, { stdin: `${begin}\n`, env: { AI_API_KEY: 'k' } });
      expect(answer.stdout, answer.stderr).toContain('"type":"delta"');
      const { stdout, status, stderr } = await run('ai-transform', ['-q', '--to', to, '--sse'], {
        stdin: answer.stdout,
      });
      expect(status, stderr).toBe(0);
      expectOne(stdout, to);
    }
  });

  test('pieces without the whole are no reply', async () => {
    const stdin = asLines([{ type: 'delta', index: 0, text: 'A mo' }]);
    const { stdout, stderr, status } = await run('ai-transform', ['-q', '--to', to, '--sse'], { stdin });
    expect([status, stderr]).toEqual([65, expect.stringContaining('its deltas came, but not the complete message')]);
    expect(count(stdout, ENDS[to] as RegExp)).toBe(0);
  });
});

test('messages of a dialect that has one for each turn are replies of their own', async () => {
  const chat = [
    { role: 'assistant', content: 'One.' },
    {
      role: 'assistant',
      content: 'Two.',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ];
  const { stdout } = await run('ai-transform', ['-q', '--to', 'anthropic', '--sse'], { stdin: asLines(chat) });
  expect(stdout.match(/"stop_reason":"\w+"/g)).toEqual(['"stop_reason":"end_turn"', '"stop_reason":"tool_use"']);
});

test('a result between two turns is no reply, and what stood before it is told', async () => {
  const stdin = asLines([...PLAIN, { type: 'function_call_output', call_id: 'call_1', output: 'A' }]);
  const { stdout, status } = await run('ai-transform', ['-q', '--to', 'openai', '--sse'], { stdin });
  expect(status).toBe(65);
  expectOne(stdout, 'openai');
});

test('as messages the items of a turn are one message', async () => {
  for (const to of ['openai', 'anthropic', 'gemini', 'bedrock', 'mistral', 'cohere', 'ollama']) {
    const { stdout } = await run('ai-transform', ['-q', '--to', to], { stdin: asLines(ITEMS) });
    expect(stdout.trim().split('\n'), to).toHaveLength(1);
  }
});
