// What ai-agent does with flags, files and people; and that nothing it is told makes it do more.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json/values.ts';
import type { FaultServer } from '../fault-server.ts';
import { BUILT, bin } from '../loop.ts';
import { type Step, scriptedModel } from '../scripted-model.ts';
import { MENDING, Repository } from './place.ts';

let model: FaultServer;
let place: Repository;

async function setUp(...args: Parameters<typeof scriptedModel>): Promise<void> {
  await tearDown();
  model = await scriptedModel(...args);
  place = new Repository(model.url);
}

async function tearDown(): Promise<void> {
  await model?.[Symbol.asyncDispose]();
  place?.remove();
}

beforeEach(() => setUp(MENDING));
afterEach(tearDown);

const call = (name: string, input: JsonObject): Step => [{ name, input }];
const results = () => place.records.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
const firstRequest = () => JSON.parse(model.asked[0]?.body ?? '{}');
const toldTools = () => firstRequest().tools.map((tool: { function: { name: string } }) => tool.function.name);

describe.skipIf(!BUILT)('rules', { timeout: 60_000 }, () => {
  test('without any, what only reads runs, and nothing else where nobody can be asked', async () => {
    const { status } = await place.run([place.conversation, 'mend it'], { AI_RULES: '' });
    expect(status).toBe(0);
    expect(results().map((text) => text.slice(0, 8))).toEqual(['     1\te', 'Not run:', 'Not run:', 'Not run:']);
    expect(place.read('work/sum.sh')).toBe('echo $(($1 - $2))\n');
  });

  test('--on-ask stop leaves the call open, for a run that may', async () => {
    const careful = place.write('careful.json', '{"permissions":{"allow":["Read"]}}');
    const args = ['--rules', careful, '--on-ask=stop', place.conversation];
    expect(await place.run([...args, 'mend it'])).toMatchObject({ status: 77, stdout: '' });
    expect(await place.run(args)).toMatchObject({ status: 77 });
    expect(place.read('work/ran')).toBe('');
    expect(await place.run([place.conversation])).toMatchObject({ status: 0, stdout: 'Mended: sum.sh subtracted.\n' });
    expect(place.read('work/ran')).toBe('1\n2\n');
  });

  test('that cannot be trusted stop everything', async () => {
    chmodSync(join(place.path, 'rules.json'), 0o666);
    const { status, stderr } = await place.run([place.conversation, 'mend it']);
    expect(status).toBe(77);
    expect(stderr).toContain('cannot trust the file');
    expect(place.read('work/ran')).toBe('');
  });
});

describe.skipIf(!BUILT)('agents and modes', { timeout: 60_000 }, () => {
  test('an agent has its own tools, and its prompt', async () => {
    await place.run(['--agent', 'reviewer', place.conversation, 'mend it']);
    expect(toldTools()).toEqual(['Bash', 'Glob', 'Grep', 'LS', 'Read', 'TodoWrite']);
    expect(firstRequest().messages[0]).toMatchObject({ role: 'system', content: /^You review changes/ });
    expect(results()[2]).toMatch(/^There is no tool named Edit/);
    expect(place.read('work/sum.sh')).toContain('-');
  });

  test('its narrowness outlives the run', async () => {
    const args = ['--rules', place.write('none.json', '{"permissions":{}}'), '--on-ask', 'stop'];
    await place.run([...args, '--agent', 'reviewer', place.conversation, 'mend it']);
    await place.run([place.conversation]);
    expect(results()[2]).toMatch(/^There is no tool named Edit/);
  });

  test('a conversation is handed over with the words that begin the work', async () => {
    await setUp(['Planned.', 'Done.']);
    await place.run(['--agent', 'architect', place.conversation, 'plan']);
    const { stdout } = await place.run(['--agent', 'tester', place.conversation, 'test it']);
    expect(stdout).toBe('Done.\n');
    expect(String(place.records.at(-2)?.content)).toMatch(/^You test software[\s\S]*\n\ntest it$/);
    expect(place.read('c.d/agent')).toBe('tester\n');
  });

  test('modes of Roo Code: which files may be edited, and switching', async () => {
    await setUp([
      call('write_to_file', { path: 'src.ts', content: 'x', line_count: 1 }),
      call('write_to_file', { path: 'plan.md', content: 'x', line_count: 1 }),
      call('execute_command', { command: 'echo no' }),
      call('switch_mode', { mode_slug: 'code' }),
      call('execute_command', { command: 'echo yes' }),
      call('attempt_completion', { result: 'All done.' }),
    ]);
    const modes = place.write(
      'modes.yaml',
      'customModes:\n  - slug: plan\n    roleDefinition: You plan.\n    groups: [read, [edit, {fileRegex: "\\\\.md$"}]]\n' +
        '  - {slug: code, roleDefinition: You code., groups: [read, edit, command]}\n',
    );
    const env = {
      AI_AGENTS: modes,
      AI_RULES: place.write('all.json', '{"permissions":{"defaultMode":"bypassPermissions"}}'),
    };
    const { stdout, status } = await place.run(['--mode', 'plan', place.conversation, 'go'], env);
    expect([stdout, status]).toEqual(['All done.\n', 0]);
    const said = results();
    expect(said[0]).toMatch(/^Not run: plan edits only files that match .*, not src\.ts\.$/);
    expect(said[2]).toMatch(/^There is no tool named execute_command/);
    expect(said[3]).toBe('The mode is code from the next turn on.\n\nYou code.\n');
    expect(said[4]).toBe('yes\n');
    expect(readdirSync(place.work).sort()).toEqual(['.git', 'plan.md', 'sum.sh', 'test.sh']);
    expect(toldTools()).toContain('execute_command');
  });

  test('one that is not there is told, with those that are', async () => {
    const { status, stderr } = await place.run(['--agent', 'nobody', place.conversation, 'x']);
    expect([status, stderr]).toEqual([78, expect.stringContaining('there is no agent "nobody" (there are architect,')]);
  });
});

describe.skipIf(!BUILT)('sub-agents', { timeout: 60_000 }, () => {
  const parent: readonly Step[] = [
    [
      { name: 'Task', input: { description: 'a', prompt: 'child one', subagent_type: 'reviewer' } },
      { name: 'Task', input: { description: 'b', prompt: 'child two' } },
    ],
    'Both have answered.',
  ];
  const child: readonly Step[] = [
    [
      { name: 'Bash', input: { command: 'echo "$AI_DEPTH $AI_MAX $AI_WITHIN"' } },
      { name: 'Edit', input: { file_path: 'sum.sh', old_string: '-', new_string: '+' } },
      { name: 'Task', input: { description: 'c', prompt: 'child three' } },
    ],
    'Reviewed.',
  ];
  const pick = ({ messages }: { messages: readonly { role: string; content?: unknown }[] }) =>
    messages.some(({ role, content }) => role === 'user' && String(content).startsWith('child')) ? child : parent;

  test('work on files of their own, with fewer tools, a smaller budget, and no deeper than they may', async () => {
    await setUp(parent, pick);
    const { stdout, stderr } = await place.run([place.conversation, 'delegate'], {
      AI_MAX_DEPTH: '1',
      AI_MAX: 'turns=20',
    });
    expect([stdout, stderr]).toEqual(['Both have answered.\n', '']);
    expect(results()).toEqual(['Reviewed.\n', 'Reviewed.\n']);
    const [one = '', two = ''] = ['call_0_0', 'call_0_1'].map((id) => place.read(`c.d/${id}.jsonl`));
    expect(one).toContain('There is no tool named Edit');
    expect(one).toContain('"1 turns=10 builder:reviewer\\n"');
    expect(two).toContain('no further sub-agent is started');
    expect(statSync(join(place.path, 'c.d/call_0_0.jsonl')).mode & 0o077).toBe(0);
  });

  test('have no more than their parent', async () => {
    await setUp([call('Task', { description: 'a', prompt: 'child', subagent_type: 'builder' }), 'Answered.'], pick);
    const narrow = place.write('narrow.md', '---\nname: narrow\ntools: Task, Read\n---\nYou delegate.\n');
    await place.run(['--agent', narrow, place.conversation, 'delegate']);
    const said = place.read('c.d/call_0_0.jsonl');
    expect(said).toContain('There is no tool named Bash');
    expect(said).toContain('There is no tool named Edit');
  });
});

describe.skipIf(!BUILT)('the conversation', { timeout: 60_000 }, () => {
  test('is for its owner alone, and for one run at a time', async () => {
    const slow = place.run([place.conversation, 'x'], {
      AI_ASK: place.write('ask', '#!/bin/sh\ncat >/dev/null; sleep 3\n'),
    });
    chmodSync(join(place.path, 'ask'), 0o755);
    while (!place.read('c.jsonl').includes('"user"')) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(statSync(place.conversation).mode & 0o777).toBe(0o600);
    expect(await place.run([place.conversation, 'y'])).toMatchObject({
      status: 75,
      stderr: expect.stringContaining('another run is using it'),
    });
    expect(await slow).toMatchObject({ status: 69, stderr: expect.stringContaining('the model gave no answer') });
  });

  test('may be one that is there: the head and the dialect are its own', async () => {
    await setUp(['Hello.']);
    place.write(
      'c.jsonl',
      '{"model":"x","max_tokens":9,"system":"s"}\n{"role":"user","content":[{"type":"text","text":"Hi"}]}\n',
    );
    const { stdout } = await place.run([place.conversation]);
    expect(stdout).toBe('Hello.\n');
    expect(place.records).toHaveLength(3);
    expect(place.records.at(-1)).toMatchObject({ role: 'assistant', _meta: { stop: { reason: 'stop' } } });
  });

  test('that is answered is not asked about again', async () => {
    await place.run([place.conversation, 'mend it']);
    const asked = model.asked.length;
    expect(await place.run([place.conversation])).toMatchObject({ status: 0, stdout: 'Mended: sum.sh subtracted.\n' });
    expect(model.asked.length).toBe(asked);
  });

  test.each([3, 40, 1])('loses no record to a writer that was killed %d bytes into the next', async (bytes) => {
    await place.run([place.conversation, 'mend it']);
    const before = place.read('c.jsonl');
    const last = `${JSON.stringify({ role: 'user', content: 'a text that is never finished, since its writer is gone' })}`;
    appendFileSync(place.conversation, last.slice(0, bytes));
    expect(await place.run([place.conversation])).toMatchObject({ status: 0, stderr: '' });
    expect(place.read('c.jsonl')).toBe(before);
    expect(place.read('c.d/torn')).toBe(last.slice(0, bytes));
  });

  test('whose head was torn gets a new one; a whole line without an end is kept', async () => {
    place.write('c.jsonl', '{"model":"x","too');
    expect(await place.run([place.conversation, 'mend it'])).toMatchObject({ status: 0, stderr: '' });
    truncateSync(place.conversation, statSync(place.conversation).size - 1);
    expect(await place.run([place.conversation, 'again'])).toMatchObject({
      status: 0,
      stdout: 'The script is over.\n',
    });
  });

  test('goes on when the model can be reached again', async () => {
    const down = { AI_ASK: 'ai-complete -n --retries 0 --base-url http://127.0.0.1:9 -m openai/x' };
    expect(await place.run([place.conversation, 'mend it'], down)).toMatchObject({ status: 69, stdout: '' });
    expect(await place.run([place.conversation, 'mend it'])).toMatchObject({ status: 0 });
    expect(place.records.filter(({ role }) => role === 'user')).toHaveLength(1);
  });
});

describe.skipIf(!BUILT)('the tools', { timeout: 60_000 }, () => {
  test('run in the box; no key reaches them', async () => {
    await setUp([call('Bash', { command: 'env' }), 'Seen.']);
    const keys = { OPENAI_API_KEY: 's3cret', AI_API_KEY: 's3cret', GITHUB_TOKEN: 's3cret' };
    await place.run(['--box', 'env AI_IN=box', place.conversation, 'x'], keys);
    expect(results()[0]).toContain('AI_IN=box');
    expect(results()[0]).not.toContain('s3cret');
    expect(results()[0]).toMatch(/^AI_BOX=$/m);
  });

  test('may be others', async () => {
    await setUp([call('shout', { text: 'hello' }), 'Heard.']);
    mkdirSync(join(place.path, 'tools'), { mode: 0o755 });
    writeFileSync(join(place.path, 'tools/shout'), '#!/bin/sh\ntr a-z A-Z\n', { mode: 0o755 });
    writeFileSync(join(place.path, 'tools/shout.json'), '{"annotations":{"readOnlyHint":true}}', { mode: 0o644 });
    const env = { AI_RULES: place.write('shout.json', '{"permissions":{"allow":["shout"]}}') };
    await place.run(['--tools', `${place.path}/tools:builtin`, place.conversation, 'x'], env);
    expect(results()).toEqual(['{"TEXT":"HELLO"}\n']);
    expect(toldTools()).toContain('shout');
  });

  test('leave nothing of theirs in the way of the next run', async () => {
    await setUp([call('Bash', { command: 'sleep 30 >/dev/null 2>&1 & echo started' }), 'Done.']);
    await place.run([place.conversation, 'x']);
    expect(await place.run([place.conversation])).toMatchObject({ status: 0, stdout: 'Done.\n' });
  });
});

describe.skipIf(!BUILT)('the command line', () => {
  test.each([
    [[], 64],
    [['--nonsense', 'x', 'c.jsonl'], 64],
    [['--model'], 64],
    [['c.jsonl'], 64],
    [['--'], 64],
    [['/dev/null/c.jsonl', 'x'], 74],
    [['--tools', 'missing', 'c.jsonl', 'x'], 78],
  ])('%j', async (args, status) => {
    expect((await place.run(args)).status).toBe(status);
  });

  test('--help', () => {
    const { stdout, status } = spawnSync(bin('ai-agent'), ['--help']);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^Usage: ai-agent \[OPTION\]\.\.\. FILE \[PROMPT\]\.\.\.\n/);
    expect(stdout.toString()).not.toContain('#');
  });
});

test.skipIf(!BUILT)('Ctrl-C answers the calls that run, and ends the loop', { timeout: 60_000 }, async () => {
  await setUp([call('Bash', { command: 'sleep 20' }), 'Never.']);
  const child = spawn(bin('ai-agent'), [place.conversation, 'x'], {
    cwd: place.work,
    env: place.env(),
    detached: true,
  });
  const ended = new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ?? status)));
  while (!place.read('c.jsonl').includes('"started"')) await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => setTimeout(resolve, 500));
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(['SIGINT', 130]).toContain(await ended);
  while (results().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(results()).toEqual([
    expect.stringMatching(/Stopped while it was running; it is unknown what it did until then\.$/),
  ]);
});
