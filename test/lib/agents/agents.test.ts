// Agents and modes as files.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasTool } from '../../../src/lib/agents/agent.ts';
import { agentNamed, agentsIn } from '../../../src/lib/agents/find.ts';
import { fromMarkdown } from '../../../src/lib/agents/markdown.ts';
import { fromModesFile } from '../../../src/lib/agents/modes-file.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'agents-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(join(cwd, 'agents'), { recursive: true });
  writeFileSync(join(cwd, name), text, { mode: 0o644 });
}

const markdown = (front: string, body = 'You work.\n') => fromMarkdown(`---\n${front}\n---\n\n${body}`, 'dir/x.md');

test('the agents that come along', async () => {
  const { agents, problems } = await agentsIn({ list: undefined, cwd });
  expect(problems).toEqual([]);
  expect(agents.map(({ name }) => name)).toEqual([
    'architect',
    'bug-hunter',
    'builder',
    'reviewer',
    'security',
    'tester',
  ]);
  for (const { prompt, description } of agents)
    expect(Math.min(prompt.length / 10, description.length)).toBeGreaterThan(20);
});

test('an agent of Claude Code', async () => {
  const agent = await markdown(
    'name: a\ndescription: d\nmodel: inherit\ntools: Read, Bash(git diff:*, git log), mcp__files\ndisallowedTools: [Grep]',
  );
  expect(agent).toEqual({
    name: 'a',
    description: 'd',
    prompt: 'You work.',
    tools: ['Read', 'Bash', 'mcp__files'],
    without: ['Grep'],
    file: 'dir/x.md',
  });
  const has = ['Read', 'Bash', 'mcp__files__list', 'mcp__filesystem__x', 'Write', 'Grep'].filter((name) =>
    hasTool(agent, name),
  );
  expect(has).toEqual(['Read', 'Bash', 'mcp__files__list']);
});

test('without tools it has all; with permissionMode plan none that change something', async () => {
  const agent = await markdown('description: d\nmodel: haiku');
  expect([agent.name, agent.model, hasTool(agent, 'anything')]).toEqual(['x', 'haiku', true]);
  const plan = await markdown('name: p\npermissionMode: plan');
  expect(['Read', 'Bash', 'Edit', 'apply_diff'].filter((name) => hasTool(plan, name))).toEqual(['Read']);
});

test('front matter that is no YAML is read by lines', async () => {
  const { description, tools, prompt } = await markdown(
    'name: a\ndescription: Use it when: the user asks\\n\\n<example>user: "x"</example>\ntools: Read',
    'B',
  );
  expect([description, tools, prompt]).toEqual([
    'Use it when: the user asks\\n\\n<example>user: "x"</example>',
    ['Read'],
    'B',
  ]);
});

test('a byte order mark, carriage returns, an empty prompt', async () => {
  expect(await fromMarkdown('\ufeff---\r\nname: a\r\n---\r\n', 'a.md')).toMatchObject({ name: 'a', prompt: '' });
});

test.each(['', 'no front matter', '---\nname: a\n', '---\n- a\n---\n'])('%j is no agent', async (text) => {
  await expect(fromMarkdown(text, 'a.md')).rejects.toMatchObject({ status: 78, place: 'a.md' });
});

test('modes of Roo Code, as YAML and as JSON', async () => {
  const mode = {
    slug: 'docs',
    name: 'Docs',
    roleDefinition: 'You write.',
    customInstructions: 'Briefly.',
    groups: ['read', ['edit', { fileRegex: '\\.md$' }]],
  };
  const yaml =
    'customModes:\n- slug: docs\n  name: Docs\n  roleDefinition: You write.\n  customInstructions: Briefly.\n  groups:\n  - read\n  - - edit\n    - fileRegex: \\.md$\n';
  const read = await fromModesFile(yaml, 'm');
  expect(read).toEqual(await fromModesFile(JSON.stringify({ customModes: [mode] }), 'm'));
  const [docs] = read;
  expect(docs).toMatchObject({ name: 'docs', description: 'Docs', prompt: 'You write.\n\nBriefly.', edits: '\\.md$' });
  const names = ['read_file', 'apply_diff', 'execute_command', 'switch_mode', 'mcp__x__y', 'WebFetch'];
  expect(docs && names.filter((name) => hasTool(docs, name))).toEqual(['read_file', 'apply_diff', 'switch_mode']);
});

test('the first of a name counts; what cannot be read is told when it is wanted', async () => {
  write('agents/reviewer.md', '---\nname: reviewer\n---\nMine.');
  write('agents/broken.md', 'nothing');
  const where = { list: 'agents:builtin', cwd };
  expect((await agentNamed('reviewer', where)).prompt).toBe('Mine.');
  await expect(agentNamed('broken', where)).rejects.toMatchObject({
    status: 78,
    hint: expect.stringContaining('front matter'),
  });
  expect((await agentNamed('./agents/reviewer.md', where)).prompt).toBe('Mine.');
  await expect(agentNamed('../x.md', where)).rejects.toMatchObject({ status: 78 });
  await expect(agentsIn({ list: 'nowhere', cwd })).rejects.toMatchObject({ status: 78 });
});

test('a file that anybody may write to is not trusted', async () => {
  write('agents/a.md', '---\nname: a\n---\nx');
  chmodSync(join(cwd, 'agents/a.md'), 0o666);
  await expect(agentNamed('a', { list: 'agents', cwd })).rejects.toMatchObject({ status: 78 });
});
