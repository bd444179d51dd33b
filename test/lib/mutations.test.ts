// Mutated lines: never a crash, a stack trace or a lost good line; always file, line and reason.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/lib/json/values.ts';
import { run } from '../run.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const lines = globSync('*/{messages,heads,replies}.jsonl', { cwd: FIXTURES }).flatMap((file) =>
  readFileSync(join(FIXTURES, file), 'utf8').split('\n').filter(Boolean),
);

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['ai-transform', '--to', 'anthropic', '-q'],
  ['ai-transform', '--to', 'openai', '-q'],
  ['ai-transform', '--to', 'bedrock', '-q'],
  ['ai-transform', '--to', 'mistral', '-q'],
  ['ai-transform', '--to', 'ollama', '-q'],
  ['ai-transform', '--to', 'cohere', '-q'],
  ['ai-route', '-m', 'claude-sonnet-4-5'],
  ['ai-condense', '--budget', '100000'],
  ['ai-condense', '--budget', '60'],
  ['ai-recover-tools'],
  ['ai-complete', '-m', 'echo'],
];

const value: fc.Arbitrary<Json> = fc.constantFrom(
  null,
  true,
  0,
  -1e308,
  'text',
  '\0',
  '\ud800',
  [],
  [null],
  {},
  { type: 'text' },
  [{ type: 5 }],
);

/** A line with one value replaced by one of a wrong type. */
const wrongType = fc
  .tuple(fc.constantFrom(...lines), fc.nat(), value)
  .map(([line, at, wrong]) => JSON.stringify(replace(JSON.parse(line), at, wrong)));
const truncated = fc.tuple(fc.constantFrom(...lines), fc.nat()).map(([line, at]) => line.slice(0, at % line.length));
const noise = fc
  .tuple(fc.constantFrom(...lines), fc.nat(), fc.string({ unit: 'binary', maxLength: 3 }))
  .map(([line, at, text]) => {
    const cut = at % line.length;
    return (line.slice(0, cut) + text + line.slice(cut + 1)).replaceAll('\n', ' ');
  });

function replace(value: Json, at: number, wrong: Json): Json {
  const paths: (string | number)[][] = [];
  const walk = (node: Json | undefined, path: (string | number)[]) => {
    paths.push(path);
    if (Array.isArray(node)) node.forEach((item, i) => walk(item, [...path, i]));
    else if (typeof node === 'object' && node !== null)
      for (const key of Object.keys(node)) walk(node[key], [...path, key]);
  };
  walk(value, []);
  const path = paths[at % paths.length] ?? [];
  return put(value, path, wrong);
}

function put(value: Json | undefined, [key, ...rest]: (string | number)[], wrong: Json): Json {
  if (key === undefined) return wrong;
  if (Array.isArray(value)) return value.with(Number(key), put(value[Number(key)], rest, wrong));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([k, v]) => [k, k === key ? put(v, rest, wrong) : v]),
  ) as JsonObject;
}

const BEFORE = '{"role":"user","content":"before"}\n';

async function check(name: string, argv: readonly string[], line: string): Promise<void> {
  const { stdout, stderr, status } = await run(name, argv, { stdin: `${BEFORE}${line}\n` });
  expect([0, 1, 65], stderr).toContain(status);
  expect(stderr).not.toMatch(/internal error|\n\s+at |undefined/);
  if (status === 65) expect(stderr).toMatch(/^ai-[a-z-]+: -:[12]: cannot /);
  for (const out of stdout.split('\n').filter(Boolean)) expect(() => JSON.parse(out)).not.toThrow();
  const perMessage = name === 'ai-recover-tools' || argv.includes('openai');
  if (perMessage) expect(stdout).toContain('before');
}

describe.each(COMMANDS)('%s %s %s', (name, ...argv) => {
  const args = argv.filter((arg) => arg !== undefined);
  test('values of wrong types', () =>
    fc.assert(
      fc.asyncProperty(wrongType, (line) => check(name, args, line)),
      { numRuns: 400 },
    ));
  test('truncated lines', () =>
    fc.assert(
      fc.asyncProperty(truncated, (line) => check(name, args, line)),
      { numRuns: 100 },
    ));
  test('noise in the line', () =>
    fc.assert(
      fc.asyncProperty(noise, (line) => check(name, args, line)),
      { numRuns: 100 },
    ));

  test.each([
    [
      'nesting of 100,000 in an unknown field',
      `{"role":"user","content":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
    [
      'nesting of 100,000 objects in the input of a call',
      `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}]}`,
    ],
    [
      'numbers beyond all bounds',
      '{"role":"user","content":"a","n":[1e999,-1e999,123456789012345678901234567890,1e-999]}',
    ],
    [
      'keys that look like a prototype',
      '{"role":"assistant","content":"a","__proto__":{"role":"user"},"constructor":{"prototype":1},"hasOwnProperty":1}',
    ],
    ['a role that looks like a prototype', '{"role":"__proto__","content":[{"type":"constructor"}]}'],
    ['a lone surrogate', '{"role":"user","content":"\\ud800"}'],
    ['an escaped NUL', '{"role":"user","content":"\\u0000"}'],
  ])('%s', async (_, line) => {
    await check(name, args, line);
    expect(({} as { role?: string }).role).toBeUndefined();
  });
});
