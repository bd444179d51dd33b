// What travels in `_meta.carry`: replies in a foreign stream, edits on the way, records that are gone or new.
import { describe, expect, test } from 'vitest';
import { writeCarried } from '../../src/lib/formats/carried.ts';
import { Gatherer } from '../../src/lib/formats/conversation.ts';
import { Losses } from '../../src/lib/formats/losses.ts';
import { buildRequest } from '../../src/lib/formats/request.ts';
import { formatNamed } from '../../src/lib/formats/table.ts';
import type { Format } from '../../src/lib/formats/types.ts';
import type { JsonObject } from '../../src/lib/ir/json.ts';
import { asLines, readOut } from './../laws/generate.ts';
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
