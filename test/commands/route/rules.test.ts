// Rules, policies in files, and what tries them out.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { classify } from '../../../src/commands/route/classify.ts';
import { run } from '../../run.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'route-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const asked = (text: string, head = {}) => lines({ ...head, messages: [{ role: 'user', content: text }] });
const route = (argv: readonly string[], stdin: string, env: Record<string, string> = {}) =>
  run('ai-route', argv, { stdin, env: { HOME: join(dir, 'home'), ...env }, cwd: dir });

async function modelOf(argv: readonly string[], stdin: string, env = {}): Promise<string> {
  const { stdout, stderr } = await route([...argv, '--dry-run', '--credentials', 'ignore'], stdin, env);
  expect(stderr).toBe('');
  return JSON.parse(stdout).model;
}

describe('rules', () => {
  const RULES = `
model: openai/gpt-4o
rules:
  - {name: text, when: {text: '(?i)\\breview\\b'}, use: openai/gpt-5}
  - {name: first, priority: 9, when: {text: urgent}, use: openai/gpt-5-mini}
  - {name: task, when: {task: [debugging]}, use: openai/o3}
  - {name: chars, when: {chars: {above: 500, below: 5000}}, use: openai/gpt-4.1}
  - {name: tokens, when: {tokens: {above: 5000}}, use: openai/gpt-4.1-mini}
  - {name: messages, when: {messages: {above: 3}}, use: openai/gpt-4.1-nano}
  - {name: tools, when: {tools: ['mcp__*', Bash]}, use: openai/gpt-5.1}
  - {name: needs, when: {needs: image}, use: openai/gpt-5.2}
  - {name: metadata, when: {metadata: {team: infra}}, use: openai/gpt-5.4}
  - {name: pattern, when: {metadata: {user.name: {matches: '^a.*z$'}}}, use: openai/gpt-5.4-mini}
  - {name: model, when: {model: 'claude-*'}, use: openai/gpt-5.5}
`;
  const tool = (name: string) => ({ type: 'function', function: { name } });
  const image = { type: 'image_url', image_url: { url: 'https://x/y.png' } };

  test.each([
    ['text', asked('please Review it'), 'gpt-5'],
    ['no text', asked('previews'), 'gpt-4o'],
    ['a higher priority', asked('urgent: review it'), 'gpt-5-mini'],
    ['task', asked('Why does it crash with a segfault?'), 'o3'],
    ['chars', asked('a'.repeat(501)), 'gpt-4.1'],
    ['chars, below', asked('a'.repeat(500)), 'gpt-4o'],
    ['tokens', asked('a'.repeat(50_000)), 'gpt-4.1-mini'],
    [
      'messages',
      lines({ messages: ['a', 'b', 'c', 'd'].map((content) => ({ role: 'user', content })) }),
      'gpt-4.1-nano',
    ],
    ['tools', asked('x', { tools: [tool('other'), tool('mcp__a__b')] }), 'gpt-5.1'],
    ['tools by name', asked('x', { tools: [tool('bash')] }), 'gpt-5.1'],
    ['needs', lines({ messages: [{ role: 'user', content: [image] }] }), 'gpt-5.2'],
    ['metadata', asked('x', { metadata: { team: 'infra' } }), 'gpt-5.4'],
    ['fields of the user’s own', asked('x', { team: 'infra' }), 'gpt-5.4'],
    ['metadata by a pattern', asked('x', { user: undefined, metadata: { 'user.name': 'abz' } }), 'gpt-5.4-mini'],
    ['model', asked('x', { model: 'claude-3' }), 'gpt-5.5'],
    ['what harnesses add is not the user’s text', asked('<system-reminder>review</system-reminder> hi'), 'gpt-4o'],
  ])('by %s', async (_, stdin, wanted) => {
    expect(await modelOf(['--rules', file('rules.yaml', RULES)], stdin)).toBe(wanted);
  });

  test('a rule whose model does not fit gives way to the next', async () => {
    const path = file('r.yaml', 'rules:\n  - {name: a, use: zai/glm-5.3}\n  - {name: b, use: openai/gpt-4o}\n');
    const { stdout } = await route(
      ['--rules', path, '--dry-run'],
      lines({ messages: [{ role: 'user', content: [image] }] }),
    );
    expect(JSON.parse(stdout)).toMatchObject({
      model: 'gpt-4o',
      rule: 'b',
      rejected: [{ model: 'zai/glm-5.3', constraint: 'image' }],
    });
  });

  test('who counts: the conversation, -m, --rules, the environment, the configuration, the head', async () => {
    file(
      'home/.config/ai/config.yaml',
      'model: xai/grok-4.7\nroute:\n  rules: [{when: {text: ruled}, use: xai/grok-4.6}]\n',
    );
    const rules = ['--rules', file('r.yaml', 'rules: [{when: {text: ruled}, use: openai/gpt-5}]')];
    const env = { AI_MODEL: 'openai/gpt-4o' };
    const said = asked('ruled', { model: 'openai/o3' });
    const swap = lines({
      messages: [
        { role: 'user', content: '>>swap openai/gpt-4' },
        { role: 'user', content: 'ruled' },
      ],
    });
    expect(await modelOf(['-m', 'openai/gpt-4.1', ...rules], swap, env)).toBe('gpt-4');
    expect(await modelOf(['-m', 'openai/gpt-4.1', ...rules], said, env)).toBe('gpt-4.1');
    expect(await modelOf(rules, said, env)).toBe('gpt-5');
    expect(await modelOf([], said, env)).toBe('gpt-4o');
    expect(await modelOf([], said)).toBe('grok-4.6');
    expect(await modelOf([], asked('other', { model: 'openai/o3' }))).toBe('grok-4.7');
    rmSync(join(dir, 'home'), { recursive: true });
    const { stdout } = await route([], said);
    expect(stdout).toBe(said);
  });

  test('patterns take linear time', async () => {
    const path = file('r.yaml', "model: openai/gpt-4o\nrules: [{when: {text: '(a+)+$'}, use: openai/gpt-5}]");
    expect(await modelOf(['--rules', path], asked(`${'a'.repeat(200_000)}!`))).toBe('gpt-4o');
  });

  test.each([
    ["rules: [{when: {text: '('}, use: a/b}]", 'rules[0]: cannot use the pattern "("'],
    ["rules: [{when: {model: '*a*b*c*d*'}, use: a/b}]", 'at most 3 stars'],
    ['rules: [{use: nosuch}]', 'cannot find the model "nosuch"'],
    ['model: $(echo x)', 'cannot use $(…)'],
  ])('%s is refused', async (text, message) => {
    const { stderr, status } = await route(['--rules', file('r.yaml', text)], asked('hi'));
    expect([status, stderr]).toEqual([78, expect.stringContaining(message)]);
  });

  test('a policy per task, an own alias, an own model', async () => {
    file(
      'home/.config/ai/config.yaml',
      'aliases: {small: [box/tiny]}\nproviders: {box: {kind: local, apis: {openai: http://b/v1}}}\nroute: {tasks: {debugging: small}}\n',
    );
    file('home/.config/ai/models.json', '{"models": {"box": {"tiny": {"context": 100000, "tools": true}}}}');
    expect(await modelOf([], asked('Why does it crash with a segfault?'))).toBe('tiny');
    expect(await modelOf(['-m', 'small'], asked('x'))).toBe('tiny');
  });
});

describe('--check', () => {
  test('runs a policy’s own tests', async () => {
    const path = file(
      'r.yaml',
      `
model: haiku
rules: [{name: reviews, when: {text: review}, use: opus}]
tests:
  - {name: good, text: review it, expect: opus}
  - {text: review it, expect: {rule: reviews, not: haiku, model: 'anthropic/*'}}
  - {text: hello, expect: claude-haiku-5-5}
  - {text: why the segfault crash, expect: {task: debugging}}
  - {conversation: [{role: user, content: '>>swap openai/gpt-4o'}], expect: gpt-4o}
`,
    );
    const { stdout, status } = await route(['--check', path], '');
    expect(stdout).toBe(
      '1..5\nok 1 - good\nok 2 - review it\nok 3 - hello\nok 4 - why the segfault crash\nok 5 - a conversation\n',
    );
    expect(status).toBe(0);
  });

  test('says what was expected, and exits 1', async () => {
    const path = file(
      'r.yaml',
      'model: haiku\ntests: [{text: hello, expect: opus}, {text: x, expect: {rule: r}}, {text: x, expect: none}]',
    );
    const { stdout, status } = await route(['--check', path], '');
    expect(stdout).toMatch(
      /^1\.\.3\nnot ok 1 - hello\n {2}# expected opus, got anthropic\/claude-haiku-5-5: .*\nnot ok 2 .*\n {2}# expected the rule r, .*\nnot ok 3/,
    );
    expect(status).toBe(1);
  });

  test('a policy without tests is no success', async () => {
    const { status, stderr } = await route(['--check', file('r.yaml', 'model: haiku')], '');
    expect([status, stderr]).toEqual([78, expect.stringContaining('cannot run tests: the file has none')]);
  });

  test('says the same whatever keys are at hand', async () => {
    const path = file('r.yaml', 'tests: [{text: hello, expect: coding}]\nmodel: coding');
    const plain = await route(['--check', path], '');
    expect(await route(['--check', path], '', { ZAI_API_KEY: 'x', OPENAI_API_KEY: 'x' })).toEqual(plain);
  });
});

describe('--replay', () => {
  const recorded = (question: string, model: string, usage = {}) => ({
    model,
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: 'done', _meta: { provider: 'openai', model, usage } },
    ],
  });

  test('says what would have been another model, and what it would have cost', async () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 100_000 };
    const traffic = file(
      'traffic.jsonl',
      lines(recorded('review it', 'gpt-4o', usage), recorded('hi', 'gpt-4o', usage)),
    );
    const rules = file('r.yaml', 'model: openai/gpt-4o\nrules: [{when: {text: review}, use: openai/gpt-4o-mini}]');
    const { stdout } = await route(['--replay', '--rules', rules, traffic], '');
    const [difference, summary] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(difference).toEqual({
      type: 'replay',
      file: traffic,
      line: 1,
      before: 'openai/gpt-4o',
      after: 'openai/gpt-4o-mini',
      usd_before: 3.5,
      usd_after: 0.21,
      reason: 'the rule "rule 1" fits; the provider is named: openai',
    });
    expect(summary).toEqual({
      type: 'replay_summary',
      conversations: 2,
      changed: 1,
      usd_before: 7,
      usd_after: 3.71,
      usd_difference: -3.29,
      models: { 'openai/gpt-4o': { before: 2, after: 1 }, 'openai/gpt-4o-mini': { before: 0, after: 1 } },
    });
  });

  test('what ai-route wrote before is no wish of the client’s', async () => {
    const routed = {
      ...recorded('hi', 'gpt-4o'),
      _meta: { route: { provider: 'openai', reason: 'x', requested: 'auto' } },
    };
    const rules = file('r.yaml', 'model: openai/gpt-4o-mini');
    const { stdout } = await route(['--replay', '--rules', rules], lines(routed));
    expect(stdout).toContain('"after":"openai/gpt-4o-mini"');
  });
});

describe.skipIf(!process.env.AI_CORPORA)('the published outcomes of RouteLLM', () => {
  interface Row {
    readonly prompt: string;
    readonly weak_ok: boolean;
    readonly strong_ok: boolean;
  }

  const rows = (name: string): Row[] =>
    gunzipSync(readFileSync(join(process.env.AI_CORPORA ?? '', 'route', `routellm_${name}.jsonl.gz`)))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  const [STRONG, WEAK] = ['pair/gpt-4-1106-preview', 'pair/mixtral-8x7b'];

  /** A model's published price for a million tokens: https://arxiv.org/abs/2406.18665, section 5. */
  const MODELS = JSON.stringify({
    providers: { pair: { apis: { openai: 'https://pair.example/v1' } } },
    models: {
      pair: {
        'gpt-4-1106-preview': { context: 128_000, price: { input: 24.7, output: 24.7 } },
        'mixtral-8x7b': { context: 32_000, price: { input: 0.24, output: 0.24 } },
      },
    },
  });

  async function replay(all: readonly Row[], threshold: number) {
    const traffic = all.map((row) => ({
      _meta: { outcomes: { [STRONG]: Number(row.strong_ok), [WEAK]: Number(row.weak_ok) } },
      messages: [{ role: 'user', content: row.prompt }],
    }));
    const rules = `model: ${WEAK}\noutput: 1\nrules: [{when: {chars: {above: ${threshold}}}, use: ${STRONG}}]`;
    const argv = ['--replay', '--models', file('models.json', MODELS), '--rules', file('r.yaml', rules)];
    const { stdout, stderr } = await route(argv, lines(...traffic));
    expect(stderr).toBe('');
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  }

  const mean = (values: readonly boolean[]) => values.filter(Boolean).length / values.length;

  test.each([
    ['gsm8k', 0.637, 0.858, 0.93, 0.598],
    ['mmlu', 0.681, 0.806, 0.859, 0.586],
  ])(
    '%s: a policy by length gives the published figures',
    async (name, weak, strong, oracle, apgr) => {
      const all = rows(name).map((row) => ({ ...row, prompt: row.prompt.trim() }));
      const lengths = all.map((row) => row.prompt.length).sort((a, b) => b - a);
      const gaps: number[] = [];
      for (const share of [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
        const threshold = lengths[Math.round(share * (lengths.length - 1))] ?? 0;
        const limit = share === 0 ? Number.MAX_SAFE_INTEGER : share === 1 ? -1 : threshold;
        const { outcomes, usd_after, models } = await replay(all, limit);
        const isStrong = (row: Row) => row.prompt.length > limit;
        expect(outcomes.policy).toBeCloseTo(mean(all.map((row) => (isStrong(row) ? row.strong_ok : row.weak_ok))), 5);
        expect(models[STRONG]?.after ?? 0).toBe(all.filter(isStrong).length);
        // By bytes, with what is put around a request and a message of each (lib/tokens/families.ts), and one token of answer.
        const tokens = ({ prompt }: Row, around: number, factor: number) =>
          Math.ceil(around + (Buffer.byteLength(prompt) / 3.6) * factor) + 1;
        const costs = all.map((row) => (isStrong(row) ? 24.7 * tokens(row, 7, 1) : 0.24 * tokens(row, 15, 1.1)) / 1e6);
        const cost = costs.reduce((sum, one) => sum + one, 0);
        expect(usd_after).toBeCloseTo(cost, 6);
        gaps.push(outcomes.gap_recovered);
        expect(
          [outcomes.always[WEAK], outcomes.always[STRONG], outcomes.best_of_all].map((x) => Number(x.toFixed(3))),
        ).toEqual([weak, strong, oracle]);
      }
      const trapezes = gaps.slice(1).map((gap, i) => (gap + (gaps[i] ?? 0)) / 2);
      const area = trapezes.reduce((sum, one) => sum + one, 0) / trapezes.length;
      expect(Math.abs(area - apgr)).toBeLessThan(0.02);
    },
    240_000,
  );
});

describe('--watch', () => {
  test('reads the configuration again between conversations, and keeps the last good one', async () => {
    const path = file('home/.config/ai/config.yaml', 'model: openai/gpt-4o');
    const changes = ['model: openai/gpt-5', 'model: [', 'model: openai/o3'];
    let clock = 1_900_000_000;
    const conversation = Buffer.from(asked('hi'));
    const chunks = {
      *[Symbol.iterator]() {
        yield conversation;
        for (const text of changes) {
          writeFileSync(path, text);
          utimesSync(path, ++clock, clock);
          yield conversation;
        }
      },
    };
    const { stdout, stderr } = await run('ai-route', ['--watch', '--dry-run'], {
      stdin: chunks as unknown as Uint8Array[],
      env: { HOME: join(dir, 'home') },
      cwd: dir,
    });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).model),
    ).toEqual(['gpt-4o', 'gpt-5', 'gpt-5', 'o3']);
    expect(stderr).toMatch(
      /has changed and was reloaded\n.*is invalid; the previous one stays in use: .*cannot read YAML.*\n.*has changed and was reloaded\n$/,
    );
  });
});

describe('--show-config', () => {
  test('prints every value with its layer', async () => {
    file('home/.config/ai/config.yaml', 'providers: {openai: {key: sk-very-secret}}\nroute: {seed: 3}\n');
    const { stdout, status } = await route(['--show-config', '-m', 'x', '--priority', 'cost'], 'not read {', {
      AI_ROUTE_TASK: 'testing',
    });
    expect(status).toBe(0);
    expect(stdout).not.toContain('secret');
    expect(stdout.replaceAll(dir, '')).toBe(
      [
        'model\t"x"\toption --model',
        'providers.openai.key\t(not shown)\t/home/.config/ai/config.yaml:1',
        'route.credentials\t"auto"\tdefaults',
        'route.output\t4096\tdefaults',
        'route.priority\t"cost"\toption --priority',
        'route.seed\t3\t/home/.config/ai/config.yaml:2',
        'route.strategy\t"capability"\tdefaults',
        'route.task\t"testing"\tenvironment AI_ROUTE_TASK',
        '',
      ].join('\n'),
    );
  });
});

describe('state', () => {
  const state = (value: object) => ['--state', file('state.json', JSON.stringify(value))];
  const among = ['openai/gpt-4o', 'openai/gpt-5', 'openai/o3'].flatMap((name) => ['--candidate', name]);

  test('the least in flight and the most headroom', async () => {
    const busy = {
      in_flight: { 'openai/gpt-4o': 2, 'openai/gpt-5': 1, 'openai/o3': 1 },
      headroom: { 'openai/gpt-5': 0.2, 'openai/o3': 0.6 },
    };
    expect(await modelOf([...among, '--strategy', 'load', ...state(busy)], asked('hi'))).toBe('o3');
    expect(await modelOf([...among, '--strategy', 'load', ...state({})], asked('hi'))).toBe('gpt-4o');
  });

  test('round robin counts on from the state', async () => {
    for (const [turn, wanted] of ['gpt-4o', 'gpt-5', 'o3', 'gpt-4o'].entries())
      expect(await modelOf([...among, '--strategy', 'round-robin', ...state({ turn })], asked('hi'))).toBe(wanted);
    expect(
      await modelOf([...among, '--strategy', 'round-robin', '--seed', '1', ...state({ turn: 0 })], asked('hi')),
    ).toBe('gpt-5');
  });

  test('what was spent today is not there any more', async () => {
    const spent = state({ spent: { '2026-01-02': 0.95 } });
    const { status, stderr } = await route(['--candidate', 'openai/o3', '--budget', '0.96', ...spent], asked('hi'));
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('budget (would cost $0.03278, $0.01 is left) removed openai/o3'),
    ]);
    expect(await modelOf(['--candidate', 'openai/o3', '--budget', '1', ...spent], asked('hi'))).toBe('o3');
  });

  test.each([['{"turn": -1}'], ['{"in_flight": 5}'], ['[]'], ['{']])('%s is no state', async (text) => {
    const { status } = await route(['--state', file('state.json', text)], asked('hi'));
    expect(status).toBe(78);
  });
});

describe('classes of tasks', () => {
  test.each([
    ['Write a function that parses ISO dates in Python', 'code_generation'],
    ['Please review this pull request', 'code_review'],
    ['Why does this crash with a segfault? Stack trace below', 'debugging'],
    ['Write the README and docstrings for the module', 'documentation'],
    ['Design a scalable microservices architecture and discuss trade-offs', 'architecture'],
    ['Add unit tests with pytest and raise the coverage', 'testing'],
    ['What is the capital of France?', 'simple_question'],
    ['Prove the theorem step by step', 'complex_reasoning'],
    ['Write a bash script that backs up my home directory', 'code_generation'],
    ['add a --verbose flag to the CLI', 'code_generation'],
    ['Can you look over my changes and tell me what you think?', 'code_review'],
    ['Is this code ok? any bugs or style problems?', 'code_review'],
    ['The tests fail on CI but pass locally', 'debugging'],
    ['I get "undefined is not a function" on line 3', 'debugging'],
    ['comment this code', 'documentation'],
    ['How should we structure the services for multi-tenant billing?', 'architecture'],
    ['Plan the migration from MySQL to Postgres', 'architecture'],
    ['write pytest fixtures for the db', 'testing'],
    ['How many legs does a spider have?', 'simple_question'],
    ['Translate "good morning" to Spanish', 'simple_question'],
    ['Analyze the time complexity of this algorithm and derive the recurrence', 'complex_reasoning'],
  ])('%s: %s', (text, task) => expect(classify(text)?.task).toBe(task));

  test.each(['', 'ok', 'lorem ipsum dolor sit amet', '日本語のテキスト'])('of %j there is no opinion', (text) =>
    expect(classify(text)).toBeUndefined(),
  );

  test('a long text takes linear time', () => {
    expect(classify('fix the bug '.repeat(1_000_000))?.task).toBe('debugging');
  });
});
