// What is counted, in every dialect, and when a limit is reached.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { lines } from '../../loop.ts';
import { run } from '../../run.ts';

const user = (text: string, source?: string): Message => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  ...(source && { meta: { source } }),
});
const calls = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  parts: ids.map((id) => ({ type: 'tool_call', id, name: `do_${id}`, input: {} })),
});
const result = (id: string): Message => ({
  role: 'tool',
  parts: [{ type: 'tool_result', callId: id, name: `do_${id}`, parts: [{ type: 'text', text: 'x' }] }],
});
const answer = (text: string, meta?: JsonObject): Message => ({
  role: 'assistant',
  parts: [{ type: 'text', text }],
  ...(meta && { meta }),
});

async function wc(argv: readonly string[], stdin: string) {
  const { stdout, stderr, status } = await run('ai-wc', argv, { stdin });
  return { stdout, stderr, status };
}

const count = async (stdin: string, ...argv: readonly string[]): Promise<JsonObject> =>
  JSON.parse((await wc(['--json', ...argv], stdin)).stdout);

const talk = [user('go'), calls('a', 'b'), result('a'), result('b'), answer('done'), user('more'), calls('c')];

describe.each(FORMATS.map((format) => [format.name, format] as const))('in %s', (name, format) => {
  const text = lines(talk.flatMap((message) => format.writeMessages([message], () => {})));

  test('turns, messages by role, calls and what is open of them', async () => {
    expect(await count(text)).toMatchObject({
      type: 'count',
      turns: 3,
      steps: 1,
      calls: 3,
      open_calls: 1,
      // Some dialects have a message for each call.
      ...(name !== 'openai-responses' && {
        messages: 7,
        roles: { user: { messages: 2 }, assistant: { messages: 3 }, tool: { messages: 2 } },
      }),
    });
  });

  test('limits', async () => {
    expect((await wc(['-q', '-m', 'turns=4'], text)).status).toBe(0);
    expect(await wc(['-q', '-m', 'turns=3'], text)).toEqual({ stdout: '', stderr: '', status: 1 });
    expect((await wc(['-q', '-m', 'turns=4,calls=3'], text)).status).toBe(1);
    expect((await wc(['-q', '-m', 'turns=4', '-m', 'steps=1'], text)).status).toBe(1);
    expect((await wc(['-q', '-m', 'steps=2'], text)).status).toBe(0);
  });
});

const openai = FORMATS[0];
const spelled = (...messages: readonly Message[]) =>
  lines(messages.flatMap((message) => openai?.writeMessages([message], () => {}) ?? []));
const used = (input: number, output: number, usd: number | null) => ({
  provider: 'nowhere',
  model: 'nothing',
  usage: { input_tokens: input, output_tokens: output },
  cost: { usd },
});

test('what answers have taken and cost, and those of which nobody knows it', async () => {
  const text = spelled(
    user('a'),
    answer('b', used(10, 5, 0.25)),
    user('c'),
    answer('d', used(20, 5, 0.5)),
    user('e'),
    answer('f', used(30, 5, null)),
  );
  expect(await count(text)).toMatchObject({
    usd: 0.75,
    unpriced_answers: 1,
    used: { input_tokens: 60, output_tokens: 15 },
  });
  expect((await wc(['-q', '-m', 'usd=0.75'], text)).status).toBe(1);
  expect(await wc(['-q', '-m', 'usd=0.76'], text)).toEqual({
    status: 78,
    stdout: '',
    stderr:
      'ai-wc: cannot check usd=0.76: the cost of 1 answer is unknown, the others cost $0.75 (limit turns or tokens, or add the price of the model to models.json before it answers)\n',
  });
  expect((await wc([], text)).stdout).toMatch(/^usd +0\.75 {2}without what 1 answer cost$/m);
  expect((await wc(['--status'], text)).stdout).toMatch(/ · \$0\.75 \+ unknown\n$/);
  expect((await wc(['-m', 'usd=0.5'], text)).stderr).toBe('ai-wc: usd: 0.75 of 0.5\n');
});

test('a share of the window', async () => {
  const text = `{"model":"claude-sonnet-4-5","max_tokens":9}\n${spelled(user('a'), answer('b', used(159_000, 1000, 0)))}`;
  expect(await count(text)).toMatchObject({ context: { tokens: 160_000, window: 200_000, share: 0.8 } });
  expect((await wc(['-q', '-m', 'tokens=80%'], text)).status).toBe(1);
  expect((await wc(['-q', '-m', 'tokens=81%'], text)).status).toBe(0);
  expect((await wc(['-q', '-m', 'tokens=160k'], text)).status).toBe(1);
  expect((await wc(['-q', '-m', 'tokens=80%', '--window', '1000000'], text)).status).toBe(0);
  expect(await wc(['-q', '-m', 'tokens=80%'], spelled(user('a'), answer('b', used(1, 1, 0))))).toMatchObject({
    status: 78,
    stderr: expect.stringMatching(/the window of nothing is unknown/),
  });
});

test('a hook that has ended the run is a limit until a person speaks again', async () => {
  const stop = '{"type":"stop","source":"hook:PostToolUse","reason":"enough"}\n';
  const text = spelled(user('a'), answer('b'));
  expect(await wc(['-m', 'turns=9'], text + stop)).toMatchObject({
    status: 1,
    stderr: 'ai-wc: a hook stopped the run: enough\n',
  });
  expect((await wc(['-q', '-m', 'turns=9'], text + stop + spelled(user('note', 'hook:Stop')))).status).toBe(1);
  expect((await wc(['-q', '-m', 'turns=9'], text + stop + spelled(user('go on')))).status).toBe(0);
});

test('messages of the model that follow one another are one turn; notes of hooks are no prompts', async () => {
  const text = spelled(user('a'), answer('b'), answer('c'), user('d', 'hook:Stop'), answer('e'));
  expect(await count(text)).toMatchObject({ turns: 2, steps: 2 });
});

const place = mkdtempSync(join(tmpdir(), 'wc-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('each file is a conversation of its own, and so is each rolled-up line', async () => {
  const file = join(place, 'a.jsonl');
  writeFileSync(file, spelled(user('a'), answer('b')));
  const two = (await wc(['--json', file, file], '')).stdout.split('\n').filter(Boolean);
  expect(two.map((line) => JSON.parse(line).turns)).toEqual([1, 1]);
  const rolled = `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}\n`;
  expect((await wc([], rolled + rolled)).stdout.split('\n').at(-2)).toMatch(
    /^ +2 +4 +0 +unknown {2}total, without the unknown cost of 2 answers$/,
  );
});

test('nothing at all is a conversation without turns', async () => {
  expect((await wc(['-q', '-m', 'turns=1'], '')).status).toBe(0);
  expect((await wc(['--status'], '')).stdout).toBe('0 turns\n');
});

test('limits that are none', async () => {
  for (const limit of ['turn=5', 'turns', 'turns=x', 'turns=50%', 'usd=1.2.3'])
    expect(await wc(['-m', limit], ''), limit).toMatchObject({
      status: 64,
      stderr: expect.stringMatching(/unknown limit/),
    });
});

test('tokens by role: exact where the encoding is known, else estimated; what the API reported counts for the context', async () => {
  const say = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
  const text = `{"model":"gpt-4o"}\n${spelled(user(say), answer('yes'))}`;
  const counted = await count(text);
  expect(counted).toMatchObject({ exact: true, roles: { user: { tokens: 205 } } });
  const estimated = await count(`{"model":"claude-sonnet-4-5","max_tokens":9}\n${spelled(user(say), answer('yes'))}`);
  expect(estimated).toMatchObject({ exact: false });
  const behind = `{"model":"claude-sonnet-4-5","max_tokens":9}\n${spelled(user(say), answer('yes', used(1000, 10, 0)), user(say))}`;
  const { context } = (await count(behind)) as { context: { tokens: number } };
  expect(context.tokens).toBeGreaterThan(1180);
  expect(context.tokens).toBeLessThan(1400);
  expect((await wc(['-q', '-m', 'tokens=1100'], behind)).status).toBe(1);
});

test('an answer that says what it took is priced by the catalogue', async () => {
  const meta = {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    usage: { input_tokens: 1_000_000, output_tokens: 0 },
  };
  const { usd, unpriced_answers } = await count(spelled(user('a'), answer('b', meta)));
  expect(usd).toBeGreaterThan(0.5);
  expect(unpriced_answers).toBeUndefined();
});
