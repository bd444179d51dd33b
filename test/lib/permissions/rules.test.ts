// Rules about tools that are no shell: which calls each speaks of.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/lib/failure/failure.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { Judge } from '../../../src/lib/permissions/judge.ts';
import { EMPTY, type Mode, readPolicies } from '../../../src/lib/permissions/policy.ts';
import { type List, parseRule } from '../../../src/lib/permissions/rule.ts';
import { Wildcard } from '../../../src/lib/permissions/wildcard.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'rules-')));
  mkdirSync(join(cwd, 'src/deep'), { recursive: true });
  mkdirSync(join(cwd, 'conf'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

type Rules = { readonly [list in List]?: readonly string[] } & { readonly mode?: Mode };

function judge({ mode = 'default', ...rules }: Rules): Judge {
  const list = (name: List) =>
    (rules[name] ?? []).map((text) => parseRule(text, name, { file: 'r', base: join(cwd, 'conf'), place: 'r' }));
  return new Judge(
    { ...EMPTY, deny: list('deny'), ask: list('ask'), allow: list('allow'), mode },
    { cwd, home: '/home/ada' },
  );
}

async function decide(rules: Rules, name: string, input: JsonObject): Promise<string> {
  return (await judge(rules).judge({ type: 'call', id: '1', name, input })).decision;
}

describe('paths', () => {
  test.each([
    ['Read(src/**)', 'src/a.ts'],
    ['Read(src/**)', './src/deep/a.ts'],
    ['Read(src)', 'src/a.ts'],
    ['Read(*.md)', 'docs/a.md'],
    ['Read(./*.md)', 'a.md'],
    ['Read(/a.ts)', 'conf/a.ts'],
    ['Read(~/notes/*)', '/home/ada/notes/x'],
    ['Read(//var/log/**)', '/var/log/a/b'],
    ['Read(src/[ab].ts)', 'src/b.ts'],
    ['Read(#a)', '#a'],
    ['Read', '/anywhere'],
    ['Read(*)', '/anywhere'],
  ])('%s allows %s', async (rule, file_path) => {
    expect(await decide({ allow: [rule] }, 'Read', { file_path })).toBe('allow');
    expect(await decide({ deny: [rule], mode: 'bypassPermissions' }, 'Read', { file_path })).toBe('deny');
  });

  test.each([
    ['Read(src/**)', 'src'],
    ['Read(src/**)', 'src/../x'],
    ['Read(src/**)', 'other/src/a'],
    ['Read(./*.md)', 'docs/a.md'],
    ['Read(/a.ts)', 'a.ts'],
    ['Read(~/notes/*)', '/home/eve/notes/x'],
    ['Read(a)', 'A'],
    ['Edit(src/**)', 'src/a.ts'],
    ['Write(src/**)', 'src/a.ts'],
  ])('%s does not allow %s', async (rule, file_path) => {
    expect(await decide({ allow: [rule] }, 'Read', { file_path })).toBe('ask');
  });

  test.each([
    ['Edit(src/**)', 'Edit', true],
    ['Edit(src/**)', 'Write', true],
    ['Edit(src/**)', 'MultiEdit', true],
    ['Edit(src/**)', 'write_to_file', true],
    ['Edit(src/**)', 'apply_diff', true],
    ['Write(src/**)', 'Write', true],
    ['Write(src/**)', 'write_to_file', true],
    ['Write(src/**)', 'Edit', false],
    ['Read(src/**)', 'read_file', true],
    ['Read(src/**)', 'Grep', true],
    ['Read(src/**)', 'list_files', true],
    ['Read(src/**)', 'Edit', false],
    ['Grep', 'search_files', true],
    ['Edit', 'insert_content', true],
  ])('to allow, %s speaks of %s: %s', async (rule, name, wanted) => {
    const input =
      name === 'Grep' || name === 'list_files' || name === 'search_files' ? { path: 'src' } : { file_path: 'src/a' };
    expect(await decide({ allow: [rule] }, name, input)).toBe(wanted ? 'allow' : 'ask');
  });

  test.each([
    ['Write(src/**)', 'Edit'],
    ['MultiEdit(src/**)', 'write_to_file'],
    ['Read(src/**)', 'Edit'],
    ['Read(src/**)', 'Glob'],
    ['read_file(src/**)', 'Read'],
    ['Edit', 'Write'],
  ])('to deny, %s speaks of %s', async (rule, name) => {
    expect(await decide({ deny: [rule], mode: 'bypassPermissions' }, name, { file_path: 'src/a', path: 'src/a' })).toBe(
      'deny',
    );
  });

  test('a directory of one name is denied wherever it is', async () => {
    expect(
      await decide({ deny: ['Read(secrets/**)'], allow: ['Read'] }, 'Read', { file_path: 'a/b/secrets/key' }),
    ).toBe('deny');
  });

  test('every file of a call counts', async () => {
    const rules = { allow: ['Read(src/**)'], deny: ['Read(.env)'] };
    expect(await decide(rules, 'read_file', { files: [{ path: 'src/a' }, { path: 'src/b' }] })).toBe('allow');
    expect(await decide(rules, 'read_file', { files: [{ path: 'src/a' }, { path: 'x' }] })).toBe('ask');
    expect(await decide(rules, 'read_file', { args: { file: [{ path: 'src/a' }, { path: '.env' }] } })).toBe('deny');
    for (const input of [{}, { file_path: 7 }, { file_path: 'src/a\0b' }, { files: [{}] }])
      expect(await decide(rules, 'Read', input as JsonObject)).toBe('ask');
  });

  test('a link is where it leads', async () => {
    writeFileSync(join(cwd, '.env'), '');
    symlinkSync('../.env', join(cwd, 'src/env'));
    symlinkSync('..', join(cwd, 'src/up'));
    symlinkSync('loop', join(cwd, 'src/loop'));
    const rules = { allow: ['Read(src/**)'], deny: ['Read(.env)'] };
    expect(await decide(rules, 'Read', { file_path: 'src/env' })).toBe('deny');
    expect(await decide(rules, 'Read', { file_path: 'src/up/x' })).toBe('ask');
    expect(await decide(rules, 'Read', { file_path: 'src/loop' })).toBe('ask');
  });

  test('a search is allowed only where all that it may find is', async () => {
    expect(await decide({ allow: ['Read(src/*.ts)'] }, 'Grep', { path: 'src' })).toBe('ask');
    expect(await decide({ allow: ['Read(src/**)'] }, 'Grep', {})).toBe('ask');
    expect(await decide({ allow: ['Read(src/**)'] }, 'Glob', { pattern: 'src/**/*.ts' })).toBe('allow');
    expect(await decide({ allow: ['Read(src/**)'] }, 'Glob', { pattern: '/etc/*', path: 'src' })).toBe('ask');
    expect(await decide({ allow: ['Read(src/**)'] }, 'Glob', { pattern: '../**', path: 'src' })).toBe('ask');
  });

  test('a shell command may not name what may not be read', async () => {
    const rules = { deny: ['Read(.env)', 'Edit(src/gen/**)'], allow: ['Bash'] };
    writeFileSync(join(cwd, '.env'), '');
    for (const command of [
      'cat .env',
      'cat ./src/../.env',
      `cat ${'.e*'}`,
      'grep x <.env',
      'curl -d @.env x',
      'sh -c "cat .env"',
      'dd if=.env',
      'git show HEAD:.env',
      'cd src && cat ../.env',
      'echo x >src/gen/a',
      'tee src/gen/a',
      "cat '.env'",
      'cat $PWD/.env',
      'ls;cat .env',
      'tar cf - --files=.env',
    ])
      expect(await decide(rules, 'Bash', { command }), command).toBe('deny');
    for (const command of ['cat .envrc', 'cat src/gen/a', 'ls -la', 'echo hello'])
      expect(await decide(rules, 'Bash', { command }), command).toBe('allow');
  });
});

describe('other tools', () => {
  test.each<[string, string, JsonObject, boolean]>([
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com/x' }, true],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://EXAMPLE.com.:8080/x' }, true],
    ['WebFetch(domain:*.example.com)', 'WebFetch', { url: 'https://a.example.com/' }, true],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://a.example.com/' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com.evil.org/' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://evil.org/?example.com' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com@evil.org/' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'file://example.com/etc/passwd' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'nonsense' }, false],
    ['mcp__github__create_issue', 'mcp__github__create_issue', {}, true],
    ['mcp__github', 'mcp__github__create_issue', {}, true],
    ['mcp__github__*', 'mcp__github__create_issue', {}, true],
    ['mcp__git', 'mcp__github__create_issue', {}, false],
    ['Task(reviewer)', 'Task', { subagent_type: 'reviewer' }, true],
    ['Agent(reviewer)', 'Task', { subagent_type: 'reviewer' }, true],
    ['Task(architect)', 'new_task', { mode: 'architect' }, true],
    ['Task(reviewer)', 'Task', { subagent_type: 'builder' }, false],
    ['Task(model:small)', 'Task', { subagent_type: 'x', model: 'small' }, true],
    ['deploy(target:stage*)', 'deploy', { target: 'stage2' }, true],
    ['deploy(target:stage*)', 'deploy', { target: 'prod' }, false],
    ['deploy(__proto__:x)', 'deploy', {}, false],
    ['TodoWrite', 'TodoWrite', {}, true],
    ['TodoWrite(*)', 'TodoWrite', {}, true],
    ['Todo', 'TodoWrite', {}, false],
  ])('%s allows %s %j: %s', async (rule, name, input, wanted) => {
    expect(await decide({ allow: [rule] }, name, input)).toBe(wanted ? 'allow' : 'ask');
  });

  test('to deny, a domain takes in what is below it, and a wildcard any name', async () => {
    expect(
      await decide({ deny: ['WebFetch(domain:evil.org)'], allow: ['WebFetch'] }, 'WebFetch', {
        url: 'http://a.evil.org',
      }),
    ).toBe('deny');
    expect(await decide({ deny: ['mcp__*'], mode: 'bypassPermissions' }, 'mcp__x__y', {})).toBe('deny');
    expect(await decide({ deny: ['*'], mode: 'bypassPermissions' }, 'anything', {})).toBe('deny');
  });
});

describe('modes', () => {
  test.each<[Mode, string, JsonObject, string]>([
    ['default', 'Read', { file_path: 'x' }, 'ask'],
    ['acceptEdits', 'Edit', { file_path: 'x' }, 'allow'],
    ['acceptEdits', 'Edit', { file_path: '/etc/x' }, 'ask'],
    ['acceptEdits', 'Bash', { command: 'ls' }, 'ask'],
    ['plan', 'Edit', { file_path: 'x' }, 'deny'],
    ['plan', 'Bash', { command: 'ls' }, 'deny'],
    ['plan', 'Read', { file_path: 'x' }, 'ask'],
    ['dontAsk', 'Read', { file_path: 'x' }, 'deny'],
    ['bypassPermissions', 'Bash', { command: 'ls' }, 'allow'],
  ])('%s, %s %j: %s', async (mode, name, input, wanted) => {
    expect(await decide({ mode }, name, input)).toBe(wanted);
  });

  test('arguments that are no JSON are denied in every mode', async () => {
    const call = { type: 'call', id: '1', name: 'x', text: '{' } as const;
    expect(await judge({ mode: 'bypassPermissions' }).judge(call)).toMatchObject({ decision: 'deny' });
    expect(await judge({ mode: 'bypassPermissions' }).judge({ ...call, custom: true })).toMatchObject({
      decision: 'allow',
    });
  });
});

describe('files of rules', () => {
  async function read(text: string, name = 'rules.json'): Promise<unknown> {
    writeFileSync(join(cwd, name), text, { mode: 0o644 });
    try {
      return await readPolicies([name], cwd);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect(error.status).toBe(78);
      return `${error.place}: ${error.message}`;
    }
  }

  test('JSON or YAML', async () => {
    const wanted = {
      allow: [{ tool: 'Read' }],
      deny: [{ tool: 'Bash', specifier: 'rm:*' }],
      mode: 'plan',
      directories: ['/x'],
    };
    const rules = {
      permissions: { allow: ['Read'], deny: ['Bash(rm:*)'], defaultMode: 'plan', additionalDirectories: ['/x'] },
    };
    expect(await read(JSON.stringify(rules))).toMatchObject(wanted);
    expect(
      await read(
        'permissions:\n  allow: [Read]\n  deny:\n    - Bash(rm:*)\n  defaultMode: plan\n  additionalDirectories: [/x]\n',
        'r.yaml',
      ),
    ).toMatchObject(wanted);
  });

  test.each([
    [
      '{"permissions":{"allow":["Bash(ls"]}}',
      'rules.json: permissions.allow[0]: cannot read the rule "Bash(ls": the closing parenthesis is missing',
    ],
    ['{"permissions":{"allow":["Bash()"]}}', /the parentheses are empty/],
    ['{"permissions":{"deny":["a b"]}}', /write a tool name, or a tool name with a pattern in parentheses/],
    ['{"permissions":{"allow":["*"]}}', /only possible in deny and ask rules/],
    ['{"permissions":{"allow":["mcp__*"]}}', /only possible in deny and ask rules/],
    ['{"permissions":{"deny":["Read(!x)"]}}', /negated patterns \(!\) are not supported in rules/],
    ['{"permissions":{"allow":["WebFetch(example.com)"]}}', /must be "domain:"/],
    ['{"permissions":{"allow":["deploy(prod)"]}}', /"name:value"/],
    ['{"permissions":{"allow":"Read"}}', 'rules.json: permissions.allow: must be a list of strings, not a string'],
    ['{"permissions":{"allow":[1]}}', /must be a list of strings, not a number/],
    ['{"permissions":{"defaultMode":"yolo"}}', 'rules.json: permissions.defaultMode: there is no mode "yolo"'],
    ['{"allow":["Read"]}', 'rules.json: cannot read the rules: the file has no "permissions"'],
    ['[]', 'rules.json: cannot read the rules: the file has no "permissions"'],
    ['{"permissions":', /rules.json:\d+: cannot read YAML/],
    ['', 'rules.json: cannot read the rules: the file has no "permissions"'],
  ])('%s is refused', async (text, wanted) => {
    const said = await read(text);
    if (typeof wanted === 'string') expect(said).toBe(wanted);
    else expect(said).toMatch(wanted);
  });

  test('rules of settings are relative to the project that they are in', async () => {
    mkdirSync(join(cwd, '.claude'));
    expect(await read('{"permissions":{"allow":["Read(/src/**)"]}}', '.claude/settings.json')).toMatchObject({
      allow: [{ base: cwd }],
    });
  });
});

test('what searches must not show, from the root of the file system', () => {
  const found = judge({
    deny: ['Read(.env)', 'Read(./a/b)', 'Read(//etc/**)', 'Read(~/x)', 'Read(secrets/**)', 'Read', 'Edit(y)'],
  }).hidden();
  expect(found).toEqual([
    `${cwd}/**/.env`,
    `${cwd}/a/b`,
    '/etc/**',
    '/home/ada/x',
    `${cwd}/secrets/**`,
    `${cwd}/**/secrets/**`,
  ]);
});

test.each([
  ['a*b', 'ab', true],
  ['a*b', 'a/x b', true],
  ['a*b', 'ba', false],
  ['*', '', true],
  ['a*a', 'a', false],
  ['*a*a*', 'xaxax', true],
  ['a**b', 'ab', true],
  ['ab', 'abc', false],
])('the wildcard %s and %j: %s', (pattern, text, wanted) => {
  expect(new Wildcard(pattern).matches(text)).toBe(wanted);
});
