// --agents: which agent works on a conversation, and with which model.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../run.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agents-'));
  mkdirSync(join(dir, 'agents'));
  agent('architect', 'description: Plans systems and weighs designs\nmodel: opus');
  agent('bug-hunter', 'description: Finds the cause of bugs and crashes: no guessing\nmodel: openai/gpt-5');
  agent('reviewer', 'description: Reviews changes before they are merged\nmodel: inherit');
  agent('tester', 'description: Writes and runs tests');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const agent = (name: string, front: string) =>
  writeFileSync(join(dir, 'agents', `${name}.md`), `---\nname: ${name}\n${front}\n---\nYou are ${name}.\n`);

const asked = (text: string, head: object = {}) =>
  `${JSON.stringify({ ...head, messages: [{ role: 'user', content: text }] })}\n`;

const route = (argv: readonly string[], stdin: string) =>
  run('ai-route', ['--agents', 'agents', '--credentials', 'ignore', ...argv], { stdin, cwd: dir });

async function decided(argv: readonly string[], stdin: string) {
  const { stdout, stderr } = await route([...argv, '--dry-run'], stdin);
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const agentsOf = async (argv: readonly string[], stdin: string) => (await decided(argv, stdin)).map((one) => one.agent);

test.each([
  ['Why does parse.c crash with a segfault?', 'bug-hunter', 'gpt-5'],
  ['Design a scalable architecture for the queue', 'architect', 'claude-opus-5-5'],
  ['Please review the changes in my branch', 'reviewer', 'gpt-4o'],
  ['Add unit tests for the lexer', 'tester', 'gpt-4o'],
])('%s: %s, with its own model if it has one', async (text, name, model) => {
  const [decision] = await decided([], asked(text, { model: 'gpt-4o' }));
  expect(decision).toMatchObject({ agent: name, model, agent_file: `agents/${name}.md` });
  expect(decision.agent_reason).toMatch(/shares the most words with the request: /);
});

test('the head tells the agent, and a second run changes nothing', async () => {
  const once = await route([], asked('Please review it', { model: 'gpt-4o', temperature: 0 }));
  expect(JSON.parse(once.stdout)).toMatchObject({
    model: 'gpt-4o',
    temperature: 0,
    _meta: { route: { agent: 'reviewer', agent_file: 'agents/reviewer.md' } },
  });
  expect(await route([], once.stdout)).toEqual(once);
});

describe('the model', () => {
  test('-m goes before the agent’s', async () =>
    expect(await decided(['-m', 'openai/o3'], asked('find the bug'))).toMatchObject([
      { agent: 'bug-hunter', model: 'o3' },
    ]));

  test('so does what the user said', async () => {
    const stdin = `${JSON.stringify({
      messages: [
        { role: 'user', content: 'find the bug' },
        { role: 'user', content: '>>swap openai/o3' },
      ],
    })}\n`;
    expect(await decided([], stdin)).toMatchObject([{ agent: 'bug-hunter', model: 'o3' }]);
  });

  test('of the agent is held to what the conversation needs', async () => {
    agent('painter', 'description: looks at a painting\nmodel: zai/glm-5.3');
    const image = { type: 'image_url', image_url: { url: 'https://x/y.png' } };
    const content = [{ type: 'text', text: 'look at the painting' }, image];
    const { status, stderr } = await route([], `${JSON.stringify({ messages: [{ role: 'user', content }] })}\n`);
    expect([status, stderr]).toEqual([1, expect.stringContaining('image (')]);
  });

  test('without a model of anybody’s one is chosen', async () =>
    expect((await decided([], asked('Write tests')))[0]).toMatchObject({ agent: 'tester', strategy: /capability/ }));
});

describe('strategies', () => {
  const four = asked('hello').repeat(5);

  test('round robin takes each in turn, from the state on', async () => {
    const all = ['architect', 'bug-hunter', 'reviewer', 'tester'];
    expect(await agentsOf(['--strategy', 'round-robin', '-m', 'gpt-4o'], four)).toEqual([...all, 'architect']);
    writeFileSync(join(dir, 'state.json'), '{"turn":2}');
    const argv = ['--strategy', 'round-robin', '--state', join(dir, 'state.json'), '-m', 'gpt-4o'];
    expect(await agentsOf(argv, asked('x'))).toEqual(['reviewer']);
  });

  test('load takes the one with the least to do', async () => {
    writeFileSync(
      join(dir, 'state.json'),
      '{"in_flight":{"agent/architect":2,"agent/bug-hunter":1,"agent/reviewer":1,"agent/tester":3}}',
    );
    const argv = ['--strategy', 'load', '--state', join(dir, 'state.json'), '-m', 'gpt-4o'];
    expect(await agentsOf(argv, asked('x'))).toEqual(['bug-hunter']);
  });

  test('a rule goes before, and its strategy is among those that it names', async () => {
    const rules = join(dir, 'rules.yaml');
    writeFileSync(rules, 'agents:\n  - {name: risky, when: {text: "(?i)prod"}, use: [reviewer, tester]}\n');
    const [decision] = await decided(['--rules', rules, '-m', 'gpt-4o'], asked('fix the crash in PROD, with tests'));
    expect(decision).toMatchObject({
      agent: 'tester',
      agent_reason: expect.stringMatching(/^the rule "risky" fits; /),
    });
    expect(await agentsOf(['--rules', rules, '-m', 'gpt-4o'], asked('fix the crash'))).toEqual(['bug-hunter']);
  });

  test('where nothing is in common, the first, and it is said', async () =>
    expect(await decided(['-m', 'gpt-4o'], asked('hmm'))).toMatchObject([
      { agent: 'architect', agent_reason: 'no description shares words with the request: the first agent' },
    ]));
});

describe('what is wrong', () => {
  test('no directory, no agents, a rule for none', async () => {
    const none = await run('ai-route', ['--agents', 'nosuch'], { stdin: asked('x'), cwd: dir });
    expect([none.status, none.stderr]).toEqual([78, 'ai-route: nosuch: cannot read the agents: no such file\n']);
    mkdirSync(join(dir, 'empty'));
    const empty = await run('ai-route', ['--agents', 'empty'], { stdin: asked('x'), cwd: dir });
    expect([empty.status, empty.stderr]).toEqual([78, 'ai-route: empty: cannot find any agents\n']);
    writeFileSync(join(dir, 'rules.yaml'), 'agents: [{use: nobody}]\n');
    const rule = await route(['--rules', join(dir, 'rules.yaml')], asked('x'));
    expect([rule.status, rule.stderr]).toEqual([78, expect.stringContaining('names the agent "nobody"')]);
  });

  test('a model that is not known is told with the file', async () => {
    agent('lost', 'description: finds lost keys\nmodel: nosuch');
    const { status, stderr } = await route([], asked('find my lost keys'));
    expect([status, stderr]).toEqual([
      78,
      expect.stringMatching(/^ai-route: agents\/lost\.md: cannot find the model "nosuch" \(did you mean /),
    ]);
  });

  test('a file that is no agent is left out, and told', async () => {
    writeFileSync(join(dir, 'agents', 'README.md'), '# Agents\n');
    const { status, stderr } = await route(['-m', 'gpt-4o'], asked('x'));
    expect([status, stderr]).toEqual([
      0,
      'ai-route: agents/README.md: cannot read the agent: it has no front matter; ignored\n',
    ]);
  });
});
