// Whose turn it is, in every dialect; and what is said.
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import { lines } from '../../loop.ts';
import { run } from '../../run.ts';

const says = (role: 'user' | 'assistant' | 'system', text: string): Message => ({
  role,
  parts: [{ type: 'text', text }],
});
const calls: Message = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'a', name: 'Read', input: { file_path: 'x' } }],
};
const result: Message = {
  role: 'tool',
  parts: [{ type: 'tool_result', callId: 'a', name: 'Read', parts: [{ type: 'text', text: 'y' }] }],
};

const turn = (stdin: string, ...argv: readonly string[]) => run('ai-turn', argv, { stdin });

describe.each(FORMATS.map((format) => [format.name, format] as const))('in %s', (_name, format) => {
  const spelled = (...messages: readonly Message[]) =>
    lines(messages.flatMap((message) => format.writeMessages([message], () => {})));

  test('whose turn it is', async () => {
    const user = says('user', 'Hi');
    for (const [messages, whose] of [
      [[user], 'model'],
      [[user, says('assistant', 'Hello')], 'user'],
      [[user, calls], 'tools'],
      [[user, calls, result], 'model'],
      [[user, calls, result, says('assistant', 'Done')], 'user'],
      [[user, says('assistant', 'Hello'), says('user', 'More')], 'model'],
    ] as const)
      expect((await turn(spelled(...messages))).stdout).toBe(`${whose}\n`);
  });

  test('the answer', async () => {
    expect(await turn(spelled(says('user', 'Hi'), says('assistant', 'Hello\nyou')), '--answer')).toMatchObject({
      stdout: 'Hello\nyou\n',
      status: 0,
    });
    for (const none of [spelled(says('user', 'Hi')), spelled(says('user', 'Hi'), calls)])
      expect(await turn(none, '--answer')).toMatchObject({ stdout: '', status: 1 });
  });

  test('what the user says is a message of the dialect, once', async () => {
    const before = spelled(says('user', 'Hi'), calls, result, says('assistant', 'Hello'));
    const { stdout } = await turn(before, '--say', 'user: "one"\ntwo');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect((await turn(before + stdout)).stdout).toBe('model\n');
    expect((await turn(before + stdout, '--say', 'user: "one"\ntwo')).stdout).toBe('');
    expect((await turn(before + stdout + spelled(says('assistant', 'x')), '--say', 'user: "one"\ntwo')).stdout).toBe(
      stdout,
    );
  });

  test('nothing is said between calls and their results', async () => {
    expect(await turn(spelled(says('user', 'Hi'), calls), '--say', 'x')).toMatchObject({ stdout: '', status: 65 });
  });
});

test('what is no message does not count; escapes do not reach the terminal', async () => {
  const notes = lines([
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'a\u001b[2Jb' },
    { type: 'note' },
    { type: 'started', id: 'a' },
  ]);
  expect((await turn(notes)).stdout).toBe('user\n');
  expect((await turn(notes, '--answer')).stdout).toBe('ab\n');
  expect((await turn(`${notes}{"role":"us`)).stdout).toBe('user\n');
});

test('the last conversation of several counts', async () => {
  const one = '{"model":"m"}\n{"role":"user","content":"x"}\n';
  expect(
    (await turn(`${one}{"model":"m"}\n{"role":"user","content":"y"}\n{"role":"assistant","content":"z"}\n`)).stdout,
  ).toBe('user\n');
});

test('another agent takes over with its own words', async () => {
  const { stdout } = await turn(
    '{"role":"user","content":"x"}\n{"role":"assistant","content":"z"}\n',
    '--say',
    'go',
    '--agent',
    'reviewer',
  );
  expect(JSON.parse(stdout).content).toMatch(/^You review changes to software\.[\s\S]*\n\ngo$/);
  expect(await turn('', '--say', 'go', '--agent', 'nobody')).toMatchObject({ stdout: '', status: 78 });
});
