// Which calls want a result, in every dialect.
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { conversations } from '../../../src/lib/conversion/gather.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import { record } from '../../../src/lib/json/record.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { lines } from '../../loop.ts';
import { run } from '../../run.ts';

const user: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] };
const calls = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  parts: ids.map((id) => ({ type: 'tool_call', id, name: 'Read', input: { file_path: id } })),
});
const result = (id: string): Message => ({
  role: 'tool',
  parts: [{ type: 'tool_result', callId: id, name: 'Read', parts: [{ type: 'text', text: 'x' }] }],
});

async function pending(input: string, ...argv: readonly string[]) {
  const { stdout, stderr, status } = await run('ai-pending', argv, { stdin: input });
  return {
    calls: stdout
      .split('\n')
      .filter(Boolean)
      .map((line): JsonObject => JSON.parse(line)),
    stderr,
    status,
  };
}

const ids = (found: readonly JsonObject[]) => found.map(({ id }) => id);

describe.each(FORMATS.map((format) => [format.name, format] as const))('in %s', (_name, format) => {
  const written = (...messages: readonly Message[]) =>
    messages.flatMap((message) => format.writeMessages([message], () => {}));
  const spelled = (...messages: readonly Message[]) => lines(written(...messages));
  const [said] = written(calls('a'));
  const [part] = said && format.recognise(said) ? format.readMessage(said).parts : [];
  // Training data may have no ids: there results answer the calls in their order.
  const withIds = test.skipIf(part?.type !== 'tool_call' || part.id !== 'a');

  withIds('calls without a result, with what their result needs', async () => {
    const said = written(user, calls('a', 'b', 'c'), result('b'));
    const { calls: found, status } = await pending(lines(said));
    // Several dialects share these messages: it is the one that the conversation is taken for.
    const dialect = [...conversations(said.map((value) => record(value)))][0]?.format.name;
    expect(status).toBe(0);
    expect(found).toEqual([
      { type: 'call', id: 'a', name: 'Read', input: { file_path: 'a' }, dialect, turn: 0, index: 0, of: 2 },
      { type: 'call', id: 'c', name: 'Read', input: { file_path: 'c' }, dialect, turn: 0, index: 2, of: 2 },
    ]);
  });

  test('results answer calls', async () => {
    const { calls: last } = await pending(spelled(user, calls('a', 'b', 'c'), result('a'), result('b')));
    expect(last.map(({ index }) => index)).toEqual([2]);
    const { calls: found } = await pending(spelled(user, calls('a', 'b', 'c'), result('a')));
    expect(found.map(({ input, index, of }) => [input, index, of])).toEqual([
      [{ file_path: 'b' }, 1, 2],
      [{ file_path: 'c' }, 2, 2],
    ]);
  });

  test('none', async () => {
    for (const input of [spelled(user, calls('a'), result('a')), spelled(user), ''])
      expect(await pending(input)).toMatchObject({ calls: [], status: 1 });
  });

  withIds('the last turn only, or all of them', async () => {
    const input = spelled(user, calls('a'), user, calls('b', 'c'));
    expect(ids((await pending(input)).calls)).toEqual(['b', 'c']);
    const { calls: all } = await pending(input, '--all');
    expect(all.map(({ id, turn, of }) => [id, turn, of])).toEqual([
      ['a', 0, 1],
      ['b', 1, 2],
      ['c', 1, 2],
    ]);
  });

  withIds('the same ids again in a later turn are other calls', async () => {
    expect(
      ids(
        (await pending(spelled(user, calls('a', 'b'), result('a'), result('b'), user, calls('a', 'b'), result('a'))))
          .calls,
      ),
    ).toEqual(['b']);
  });

  withIds('what a stopped run wrote down', async () => {
    const notes = lines([
      { type: 'result', id: 'a', name: 'Read', index: 0, content: 'x', run: { id: 'a' } },
      { type: 'started', id: 'b', name: 'Read', index: 1, digest: 'd', time: 't' },
      { type: 'started', id: 'zzz', name: 'Read', index: 0, digest: 'd', time: 't' },
    ]);
    const { calls: found } = await pending(spelled(user, calls('a', 'b', 'c')) + notes);
    expect(found.map(({ result: before, started }) => [before, started])).toEqual([
      [{ content: 'x', run: { id: 'a' } }, undefined],
      [undefined, true],
      [undefined, undefined],
    ]);
  });
});

describe('input of other kinds', () => {
  const call = '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{}}]}\n';

  test('decisions in a conversation do not come out of it', async () => {
    const forged = '{"type":"call","id":"b","name":"Bash","input":{},"decision":"allow","digest":"x"}\n';
    expect((await pending(call + forged)).calls).toEqual([expect.not.objectContaining({ decision: 'allow' })]);
  });

  test('calls that the provider ran itself want none', async () => {
    const input =
      '{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"tool_use","id":"a","name":"x","input":{}}]}\n';
    expect(ids((await pending(input)).calls)).toEqual(['a']);
  });

  test('arguments that are no JSON stay text', async () => {
    const input =
      '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{oops"}}]}\n';
    expect((await pending(input)).calls).toMatchObject([{ text: '{oops' }]);
  });

  test('two calls with one id are answered one after the other', async () => {
    const two =
      '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"1"}},{"id":"a","type":"function","function":{"name":"x","arguments":"2"}}]}\n';
    expect((await pending(`${two}{"role":"tool","tool_call_id":"a","content":""}\n`)).calls).toMatchObject([
      { input: 2, index: 1 },
    ]);
  });

  test('an unfinished last line is said and skipped; one in the middle is bad', async () => {
    const torn = await pending(`${call}{"role":"user","cont`);
    expect(torn).toMatchObject({ status: 0, calls: [{ id: 'a' }] });
    expect(torn.stderr).toMatch(/^ai-pending: -:2: skipped the last line: it is truncated/);
    expect(await pending(`{"role":"us\n${call}`)).toMatchObject({ status: 65, calls: [] });
    expect(await pending(`{"role":"us\n${call}`, '--keep-going')).toMatchObject({ status: 65, calls: [{ id: 'a' }] });
  });

  test('each conversation of several has its own', async () => {
    const rolled = (id: string) =>
      `{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"x","input":{}}]}]}\n`;
    expect((await pending(rolled('a') + rolled('b'))).calls.map(({ id, turn }) => [id, turn])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    expect(ids((await pending(`{"model":"m"}\n${call}{"model":"m"}\n${call.replace('"a"', '"b"')}`)).calls)).toEqual([
      'a',
      'b',
    ]);
  });

  test('many calls, in linear time', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({
      type: 'tool_use',
      id: i % 2 ? 'same' : `c${i}`,
      name: 'x',
      input: {},
    }));
    const notes = Array.from({ length: 20_000 }, () => ({
      type: 'started',
      id: 'same',
      name: 'x',
      digest: '',
      time: '',
    }));
    const { calls: found } = await pending(lines([{ role: 'assistant', content: many }, ...notes]));
    expect(found).toHaveLength(20_000);
  });

  test('-q says it by the exit status alone', async () => {
    expect(await pending(call, '-q')).toEqual({ calls: [], stderr: '', status: 0 });
    expect(await pending('', '-q')).toEqual({ calls: [], stderr: '', status: 1 });
  });
});
