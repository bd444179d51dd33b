// What travels in `_meta.carry`: replies in a foreign stream, edits on the way, records that are gone or new.
import { describe, expect, test } from 'vitest';
import { writeCarried } from '../../src/lib/conversion/carried.ts';
import { Gatherer } from '../../src/lib/conversion/gather.ts';
import { Losses } from '../../src/lib/conversion/losses.ts';
import { buildRequest } from '../../src/lib/conversion/request.ts';
import { formatNamed } from '../../src/lib/dialects/table.ts';
import type { Format } from '../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { asLines, readOut } from '../laws/generate.ts';
import { run } from '../run.ts';

const anthropic = formatNamed('anthropic') as Format;
const openai = formatNamed('openai') as Format;

const REPLY = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [
    { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'eHg=' },
    { type: 'text', text: 'A moment.' },
    { type: 'tool_use', id: 't1', name: 'Read', input: { path: 'a' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 2 },
};

describe('a reply in a stream of another dialect', () => {
  const [native] = writeCarried(anthropic.readReply(REPLY), anthropic, openai, () => {});
  const stream = [
    { role: 'user', content: 'What is in a?' },
    native as JsonObject,
    { role: 'tool', tool_call_id: 't1', content: 'A' },
  ];

  test('says what the dialect can say, and what it cost', () => {
    expect(native).toMatchObject({ role: 'assistant', content: 'A moment.', reasoning_content: 'Let me look.' });
    expect(native?._meta).toMatchObject({ id: 'msg_1', usage: { input_tokens: 1 }, carry: { of: 'anthropic' } });
  });

  test('goes back whole in the next request to its own API', () => {
    const gatherer = new Gatherer();
    for (const value of stream) gatherer.push({ value });
    const [conversation] = gatherer.end();
    const { body: request } = buildRequest(conversation as never, anthropic, new Losses());
    expect((request.messages as JsonObject[])[1]).toEqual({ role: 'assistant', content: REPLY.content });
  });

  test('carries nothing where nothing is missing', () => {
    const plain = { ...REPLY, content: [{ type: 'text', text: 'Hello.' }], stop_reason: 'end_turn' };
    const [said] = writeCarried({ ...anthropic.readReply(plain), form: undefined }, anthropic, openai, () => {});
    expect(said?._meta).not.toHaveProperty('carry');
  });
});

describe('a record that was written for another dialect', () => {
  const answered = [
    { role: 'user', content: 'What is in a?' },
    { role: 'assistant', content: REPLY.content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'A' }] },
  ];
  const step = async (records: readonly JsonObject[], ...argv: string[]): Promise<JsonObject[]> =>
    readOut((await run('ai-transform', ['-q', ...argv], { stdin: asLines(records) })).stdout);

  test.each(['gemini', 'ollama', 'openai-responses', 'bedrock'])(
    'carries nothing of the one before (%s)',
    async (to) => {
      const there = await step(answered, '--to', 'openai', '--carry');
      const next = await step(there, '--to', to);
      expect(JSON.stringify(next)).not.toContain('carry');
      const back = JSON.stringify(await step(next, '--to', 'anthropic'));
      for (const said of ['What is in a?', 'A moment.', '"path":"a"', '"content":"A"']) expect(back).toContain(said);
    },
  );

  test('goes all the way back, step by step, if every step carries', async () => {
    const there = await step(answered, '--to', 'openai', '--carry', '--from', 'anthropic');
    const next = await step(there, '--to', 'gemini', '--carry');
    expect(await step(await step(next, '--to', 'openai'), '--to', 'anthropic')).toEqual(answered);
  });

  test('is said to carry nothing any more', async () => {
    const there = await step(answered, '--to', 'openai', '--carry');
    const { stderr } = await run('ai-transform', ['--to', 'gemini'], { stdin: asLines(there) });
    expect(stderr).toMatch(/openai → gemini: lost _meta.carry/);
  });

  test('as text or a log has no carry either', async () => {
    const there = await step(answered, '--to', 'openai', '--carry');
    for (const to of ['claude-code', 'codex', 'pi', 'atif', 'sharegpt', 'otel']) {
      const { stdout } = await run('ai-transform', ['-q', '--to', to], { stdin: asLines(there) });
      expect(stdout, to).not.toContain('"carry"');
      expect(stdout, to).toContain('A moment.');
    }
  });

  test('is not read as the first, if somebody else converted it and kept its "_meta"', async () => {
    const there = await step(answered, '--to', 'openai', '--carry', '--from', 'anthropic');
    const call = { functionCall: { name: 'Read', args: { path: 'a' } } };
    const kept = there.map(({ _meta }) => (_meta === undefined ? {} : { _meta }));
    const next = [
      { role: 'user', parts: [{ text: 'What is in a?' }], ...kept[0] },
      { role: 'model', parts: [{ text: 'A moment.' }, call], ...kept[1] },
    ];
    const back = JSON.stringify(await step(next, '--to', 'anthropic'));
    for (const said of ['What is in a?', 'A moment.', '"path":"a"']) expect(back).toContain(said);
    expect(back).not.toContain('c2ln');
  });

  test('is its own if only its "_meta" has changed', async () => {
    const there = await step(answered, '--to', 'openai', '--carry', '--from', 'anthropic');
    const noted = there.map((value) => ({ ...value, _meta: { ...(value._meta as JsonObject), note: 'seen' } }));
    const back = await step(noted, '--to', 'anthropic');
    expect(back.map(({ _meta, ...said }) => said)).toEqual(answered);
  });
});

describe('edits on the way', () => {
  const there = async (records: JsonObject[]): Promise<JsonObject[]> =>
    readOut((await run('ai-transform', ['--to', 'openai', '--carry', '-q'], { stdin: asLines(records) })).stdout);
  const back = async (records: JsonObject[]): Promise<JsonObject[]> =>
    readOut((await run('ai-transform', ['--to', 'anthropic', '-q'], { stdin: asLines(records) })).stdout);
  const source = [
    { role: 'user', content: [{ type: 'text', text: 'What is in a?', cache_control: { type: 'ephemeral' } }] },
    { role: 'assistant', content: REPLY.content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'A', is_error: true }] },
  ];

  test('of a text: the rest of the message is as it was', async () => {
    const [ask, reply, result] = await there(source);
    const returned = await back([ask, { ...reply, content: 'Just a moment.' }, result] as JsonObject[]);
    const content = REPLY.content.with(2, { type: 'text', text: 'Just a moment.' } as never);
    expect(returned).toEqual([source[0], { role: 'assistant', content }, source[2]]);
  });

  test('of the reasoning: its signature is not taken for the new text', async () => {
    const [ask, reply, result] = await there(source);
    const returned = await back([ask, { ...reply, reasoning_content: 'Other thoughts.' }, result] as JsonObject[]);
    expect(JSON.stringify(returned[1])).not.toContain('c2ln');
    expect(returned[0]).toEqual(source[0]);
  });

  test('of the arguments of a call', async () => {
    const [ask, reply, result] = await there(source);
    const call = { id: 't1', type: 'function', function: { name: 'Read', arguments: '{"path":"b"}' } };
    const returned = await back([ask, { ...reply, tool_calls: [call] }, result] as JsonObject[]);
    expect(JSON.stringify(returned[1])).toContain('{"path":"b"}');
    expect(returned[2]).toEqual(source[2]);
  });

  test('records that are gone stay gone, and new ones stand where they were put', async () => {
    const [ask, , result] = await there(source);
    const returned = await back([ask as JsonObject, { role: 'user', content: 'New.' }]);
    expect(returned).toEqual([source[0], { role: 'user', content: 'New.' }]);
    expect(await back([result as JsonObject])).toEqual([source[2]]);
  });

  test('a carry that somebody made up breaks nothing', async () => {
    for (const carry of [
      true,
      1,
      'x',
      {},
      { of: 'anthropic' },
      { of: 'anthropic', in: 'nowhere', patch: [] },
      { of: 'anthropic', in: 'openai', records: -1 },
      { of: 'anthropic', in: 'openai', records: 1e9, patch: 'x' },
      { of: 'anthropic', in: 'openai', patch: [{ at: '', is: 1 }] },
    ]) {
      const { stdout, status } = await run('ai-transform', ['--to', 'anthropic', '-q'], {
        stdin: asLines([
          { role: 'user', content: 'a', name: 'x', _meta: { carry } },
          { role: 'assistant', content: 'b', tool_calls: [] },
        ]),
      });
      expect([0, 65]).toContain(status);
      expect(stdout).toContain('"b"');
    }
  });
});
