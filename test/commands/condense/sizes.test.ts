// Where ai-condense begins, and how far it goes down, for every way to say a size.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { run } from '../../run.ts';
import { countTokens } from '../../tokens.ts';
import { asText, parse, session } from './sessions.ts';

const { lines } = session(60);
const openai = FORMATS.find(({ name }) => name === 'openai');
const size = (all: readonly JsonObject[]): number =>
  countTokens('gpt-4o', {
    messages: all.filter(({ role }) => role).map((line) => openai?.readMessage(line) as Message),
  });
const whole = size(lines);
const condense = (
  argv: readonly string[],
  input: readonly JsonObject[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
) => run('ai-condense', argv, { stdin: asText(input), env, ...(cwd !== undefined && { cwd }) });
const HEAD = { model: 'gpt-4o' };

/** The largest beginning of the session that takes at most so many tokens. */
const upTo = (tokens: number): JsonObject[] => {
  let end = lines.length;
  while (size(lines.slice(0, end)) > tokens || lines[end - 1]?.role !== 'user') end -= 1;
  return lines.slice(0, end);
};

describe.each<[string, readonly string[], number]>([
  ['tokens', ['--budget', '10000'], 10_000],
  ['thousands', ['--budget', '10k'], 10_000],
  ['tokens with their unit', ['--budget', '10000t'], 10_000],
  ['a share of a window', ['--budget', '50%', '--window', '20000'], 10_000],
  ['half of a window', ['--budget', 'auto', '--window', '20000'], 10_000],
  ['a trigger alone', ['--trigger', '10k'], 10_000],
  ['nothing but the window', ['--window', '13334'], 10_000],
])('%s', (_, argv, at) => {
  test('nothing happens at that size, and above it 60 % are left', async () => {
    const below = [HEAD, ...upTo(at - 50)];
    expect((await condense(argv, below)).stdout).toBe(asText(below));
    const { stdout, status, stderr } = await condense(argv, [HEAD, ...lines.slice(0, below.length + 8)]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(size(parse(stdout))).toBeLessThanOrEqual(at);
    expect(size(parse(stdout))).toBeGreaterThan(0.5 * at);
  });

  test('the beginning stands still while the conversation grows', async () => {
    let before = '';
    let moved = 0;
    const cuts = lines.flatMap((line, i) => (line.role === 'user' && i > 40 ? [i + 1] : []));
    for (const cut of cuts) {
      const { stdout } = await condense(argv, [HEAD, ...lines.slice(0, cut)]);
      expect(size(parse(stdout))).toBeLessThanOrEqual(at);
      expect((await condense(argv, parse(stdout))).stdout).toBe(stdout);
      if (!stdout.startsWith(before)) moved += 1;
      before = stdout;
    }
    expect(moved).toBeGreaterThan(1);
    expect(moved).toBeLessThan(cuts.length / 4);
  });
});

test('a trigger and a budget mean what they say', async () => {
  const argv = ['--trigger', '10000', '--budget', '10000'];
  const tokens = size(parse((await condense(argv, [HEAD, ...lines])).stdout));
  expect(tokens).toBeGreaterThan(9500);
  expect(tokens).toBeLessThanOrEqual(10_000);
});

test('what must stay may take more than is to be left, up to the size', async () => {
  const paste = { role: 'user', content: 'word '.repeat(8000) };
  const { stdout, status } = await condense(['--budget', '10000'], [HEAD, ...lines, paste]);
  expect(status).toBe(0);
  expect(size(parse(stdout))).toBeLessThanOrEqual(10_000);
  expect(stdout).toContain(paste.content);
});

describe('without a size', () => {
  const long = Array.from({ length: Math.ceil(100_000 / whole) }, () => lines).flat();
  const home = mkdtempSync(join(tmpdir(), 'window-'));
  mkdirSync(join(home, '.config', 'ai'), { recursive: true });
  writeFileSync(join(home, '.config', 'ai', 'config.yaml'), 'model: mine\naliases: { mine: openai/gpt-4o }\n');
  const NOTE = /^ai-condense: the context window is unknown: assuming 128000 tokens .*\n$/;

  test.each<[string, readonly JsonObject[], Readonly<Record<string, string>>]>([
    ["the head's model", [{ model: 'gpt-4o' }], {}],
    ['one that ai-route named', [{ model: 'gpt-4o', _meta: { route: { provider: 'openai' } } }], {}],
    ['one with its provider', [{ model: 'openai/gpt-4o' }], {}],
    ['the configured one', [], { AI_MODEL: 'openai/gpt-4o' }],
    ['one in a file, by an alias', [], { HOME: home }],
  ])('%s says it: 75 % of its window', async (_, head, env) => {
    const { stdout, stderr, status } = await condense([], [...head, ...long], env, home);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(size(parse(stdout))).toBeLessThanOrEqual(96_000);
    expect(size(parse(stdout))).toBeLessThan(size(long));
  });

  test('a large window leaves it whole', async () => {
    const input = [{ model: 'gemini-2.5-pro' }, ...long];
    expect(await condense([], input)).toEqual({ status: 0, stderr: '', stdout: asText(input) });
  });

  test.each<[string, readonly JsonObject[]]>([
    ['nobody names a model', [{ role: 'user', content: 'a' }]],
    ['it is not known', [{ model: 'nobodys' }, { role: 'user', content: 'a' }]],
  ])('%s: a usual window, which is said once', async (_, input) => {
    const twice = [{ model: 'nobodys' }, ...lines, ...input];
    const { stdout, stderr, status } = await condense([], twice, {}, home);
    expect({ status, stdout }).toEqual({ status: 0, stdout: asText(twice) });
    expect(stderr).toMatch(NOTE);
  });

  test('other limits stand alone', async () => {
    const input = [{ model: 'nobodys' }, ...long];
    expect(await condense(['--max-images', '3'], input)).toEqual({ status: 0, stderr: '', stdout: asText(input) });
    expect(await condense(['--max-bytes', '20M'], input)).toEqual({ status: 0, stderr: '', stdout: asText(input) });
  });

  test('in a pipe before ai-complete', async () => {
    const { stdout } = await condense([], [HEAD, { role: 'user', content: 'hello' }]);
    expect((await run('ai-complete', ['-m', 'echo', '-n'], { stdin: stdout })).stdout).toContain('"content":"hello"');
  });
});
