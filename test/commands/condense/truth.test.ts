// A placeholder says that a call failed only where its result says so.
import { expect, test } from 'vitest';
import { run } from '../../run.ts';
import { asText } from './sessions.ts';

const PADDING = 'Lorem ipsum dolor sit amet.\n'.repeat(60);

/** The placeholder of a result of a turn that is over. */
async function placeholder(name: string, content: string, extra: object = {}): Promise<string> {
  const call = { id: 'c', type: 'function', function: { name, arguments: '{"path":"a"}' } };
  const stdin = asText([
    { role: 'user', content: 'Do it.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content, ...extra },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'And now?' },
  ]);
  const { stdout } = await run('ai-condense', ['--budget', '300', '--strategy', 'results'], { stdin });
  return /\[cleared:[^\n]*\]/.exec(stdout)?.[0] ?? stdout;
}

test.each<[string, string]>([
  ['read', `#include <assert.h>\n${PADDING}`],
  ['read', `{"error": "red"}\n${PADDING}`],
  ['read', `${PADDING}Error: (none)`],
  ['read', `${PADDING}Exit code: 1`],
  ['bash', `#include <assert.h>\n${PADDING}`],
  ['bash', `{"error": "red"}\n${PADDING}`],
  ['bash', `error: no such file\n${PADDING}`],
  ['bash', `${PADDING}Command exited with code 0`],
  ['bash', `${PADDING}Exit code: 1\n${PADDING}`],
  ['run_shell_command', `Command: ls\nOutput: a\n${PADDING}Error: (none)\nExit Code: 0\nSignal: 0`],
  ['shell', JSON.stringify({ output: `error\n${PADDING}`, metadata: { exit_code: 0, duration_seconds: 1 } })],
  ['grep', `src/a.ts:1: throw new Error("failed")\n${PADDING}`],
])('%s: words are no failure: %j', async (name, content) => {
  const said = await placeholder(name, content);
  expect(said).toContain('call again for it');
  expect(said).not.toContain('it failed');
});

test.each<[string, string]>([
  ['Bash', `Exit code 2\n${PADDING}`],
  ['bash', `${PADDING}Command exited with code 1`],
  ['execute_bash', `${PADDING}[The command completed with exit code 127.]`],
  ['execute_bash', `${PADDING}[Command finished with exit code 1]`],
  ['exec_command', `Chunk ID: 1\n${PADDING}Process exited with code 101`],
  ['run_shell_command', `Command: ls\n${PADDING}Error: (none)\nExit Code: 3\nSignal: 0\nBackground PIDs: (none)`],
  ['shell', JSON.stringify({ output: PADDING, metadata: { exit_code: 1, duration_seconds: 1 } })],
  ['Bash', `${PADDING}(exit status 1)`],
])("%s: the tool's own form is one: %j", async (name, content) => {
  expect(await placeholder(name, content)).toMatch(/it failed: exit code \d+/);
});

test('a flag is one', async () => {
  const stdin = asText([
    { role: 'user', content: 'Do it.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: { path: 'a' } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c', is_error: true, content: `no such file\n${PADDING}` }],
    },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'And now?' },
  ]);
  const { stdout } = await run('ai-condense', ['--budget', '300', '--strategy', 'results'], { stdin });
  expect(stdout).toContain('it failed: no such file');
});

test('what a command complains of is quoted, and no failure', async () => {
  const said = await placeholder('bash', `warming up\nerror: symbol x9 is not defined\n${PADDING}`);
  expect(said).toContain('call again for it; in it: error: symbol x9 is not defined');
});
