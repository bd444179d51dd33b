// Calls without ids, and results without names: what a conversation says that no single message does.
import { describe, expect, test } from 'vitest';
import type { Message, ToolCallPart, ToolResultPart } from '../../../../src/lib/conversation/types.ts';
import { Calls, idByName, withoutId } from '../../../../src/lib/dialects/codec/call-ids.ts';

const call = (name: string, id?: string): ToolCallPart =>
  id === undefined
    ? { type: 'tool_call', id: idByName(name), name, input: {}, form: withoutId('ollama') }
    : { type: 'tool_call', id, name, input: {} };
const result = (name?: string, id?: string): ToolResultPart =>
  id === undefined
    ? { type: 'tool_result', callId: idByName(name ?? ''), name, parts: [], form: withoutId('ollama') }
    : { type: 'tool_result', callId: id, name, parts: [] };

/** The ids and names of the calls and results of some messages. */
function follow(...messages: (ToolCallPart | ToolResultPart)[][]): (string | undefined)[][] {
  const calls = new Calls();
  return messages.flatMap((parts) => {
    const message: Message = { role: parts[0]?.type === 'tool_call' ? 'assistant' : 'tool', parts };
    return calls.follow(message, 'ollama').parts.map((part) => {
      if (part.type === 'tool_call') return ['call', part.id, part.name];
      return part.type === 'tool_result' ? ['result', part.callId, part.name] : [];
    });
  });
}

describe('calls without ids', () => {
  test('each gets its own, and results find theirs by name, in order', () => {
    expect(follow([call('a'), call('b'), call('a')], [result('b')], [result('a')], [result('a')])).toEqual([
      ['call', 'call_1', 'a'],
      ['call', 'call_2', 'b'],
      ['call', 'call_3', 'a'],
      ['result', 'call_2', 'b'],
      ['result', 'call_1', 'a'],
      ['result', 'call_3', 'a'],
    ]);
  });
  test('a result without a name answers the first open call', () => {
    expect(follow([call('a'), call('b')], [result()], [result()]).slice(2)).toEqual([
      ['result', 'call_1', 'a'],
      ['result', 'call_2', 'b'],
    ]);
  });
  test('a result that answers nothing stays as it is', () => {
    expect(follow([result('a')], [call('b')], [result('a')])).toEqual([
      ['result', 'call_a', 'a'],
      ['call', 'call_1', 'b'],
      ['result', 'call_a', 'a'],
    ]);
  });
  test('an id that is taken is not given again', () => {
    expect(follow([call('x', 'call_1')], [call('a')])[1]).toEqual(['call', 'call_2', 'a']);
  });
});

test('a result learns the name of its call, even behind other messages, and once', () => {
  expect(follow([call('x', 'i')], [], [result(undefined, 'i')], [result(undefined, 'i')])).toEqual([
    ['call', 'i', 'x'],
    ['result', 'i', 'x'],
    ['result', 'i', undefined],
  ]);
});

test('many open calls cost linear time', () => {
  const calls = new Calls();
  for (let i = 0; i < 300_000; i++) calls.follow({ role: 'assistant', parts: [call(`f${i % 3}`)] }, 'ollama');
  const answered = Array.from({ length: 300_000 }, (_, i) =>
    calls.follow({ role: 'tool', parts: [result(i % 2 ? `f${i % 3}` : undefined)] }, 'ollama'),
  );
  expect(answered.filter(({ parts: [part] }) => part?.type === 'tool_result' && part.callId !== '')).not.toEqual([]);
});
