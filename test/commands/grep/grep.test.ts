// What is found, in every dialect, and that it costs no more than it should.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { compilePattern } from '../../../src/commands/grep/pattern.ts';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import { lines } from '../../loop.ts';
import { run } from '../../run.ts';

const talk: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'look for\nthe needle' }] },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'c1', name: 'Grep', input: { pattern: 'needle', options: { deep: [true, 'needles'] } } },
    ],
  },
  {
    role: 'tool',
    parts: [{ type: 'tool_result', callId: 'c1', name: 'Grep', parts: [{ type: 'text', text: 'x.c: needle\nhay' }] }],
  },
];

async function grep(argv: readonly string[], stdin: string) {
  const { stdout, stderr, status } = await run('ai-grep', argv, { stdin });
  return { found: stdout.split('\n').filter(Boolean), stderr, status };
}

describe.each(FORMATS.map((format) => [format.name, format] as const))('in %s', (_name, format) => {
  const text = lines(talk.flatMap((message) => format.writeMessages([message], () => {})));

  test('texts, arguments and results are searched, each as what it is', async () => {
    const { found, status } = await grep(['--json', 'needle'], text);
    expect(status).toBe(0);
    expect(found.map((line) => JSON.parse(line)).map(({ role, kind, text: said }) => [role, kind, said])).toEqual([
      ['user', 'text', 'the needle'],
      ['assistant', 'call', 'pattern: needle'],
      ['assistant', 'call', 'options.deep[1]: needles'],
      ['tool', 'result', 'x.c: needle'],
    ]);
  });

  test('by role, by kind, by tool', async () => {
    expect((await grep(['-c', '-r', 'tool', 'needle'], text)).found).toEqual(['1']);
    expect((await grep(['-c', '-k', 'call,result', 'needle'], text)).found).toEqual(['2']);
    expect((await grep(['-c', '-t', 'Grep', 'needle'], text)).found).toEqual(['2']);
    expect((await grep(['-c', '-t', 'Bash', 'needle'], text)).status).toBe(1);
    expect((await grep(['-c', '-v', 'needle|look'], text)).found).toEqual(['0']);
  });
});

const place = mkdtempSync(join(tmpdir(), 'grep-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('files below a directory, the names of those with a match, the first match alone', async () => {
  mkdirSync(join(place, 'deep'));
  writeFileSync(join(place, 'deep', 'a.jsonl'), lines([{ role: 'user', content: 'needle' }]));
  writeFileSync(join(place, 'b.jsonl'), lines([{ role: 'user', content: 'hay' }]));
  writeFileSync(join(place, 'notes.md'), 'needle');
  expect((await grep(['-l', 'needle', place], '')).found).toEqual([join(place, 'deep', 'a.jsonl')]);
  expect((await grep(['-c', 'needle', place], '')).found).toEqual([
    `${join(place, 'b.jsonl')}:0`,
    `${join(place, 'deep', 'a.jsonl')}:1`,
  ]);
  const twice = lines([
    { role: 'user', content: 'needle one' },
    { role: 'user', content: 'needle two' },
  ]);
  expect((await grep(['-m', '1', 'needle'], twice)).found).toEqual(['1:user: needle one']);
  expect(await grep(['-q', 'needle'], twice)).toEqual({ found: [], stderr: '', status: 0 });
});

test('session logs: each message once, with its number; records of no known kind', async () => {
  const line = (uuid: string, parentUuid: string | null, message: object) =>
    JSON.stringify({
      type: (message as { role: string }).role,
      uuid,
      parentUuid,
      sessionId: 's',
      cwd: '/w',
      version: '1',
      timestamp: '2026-01-01T00:00:00Z',
      message,
    });
  const log = [
    line('a', null, { role: 'user', content: 'needle one' }),
    line('b', 'a', { role: 'assistant', id: 'm1', model: 'm', content: [{ type: 'text', text: 'first try: needle' }] }),
    line('c', 'a', {
      role: 'assistant',
      id: 'm2',
      model: 'm',
      content: [{ type: 'text', text: 'second try: needle' }],
    }),
  ].join('\n');
  const { found } = await grep(['needle'], `${log}\n`);
  expect(found.toSorted()).toEqual([
    '#1:user: needle one',
    '#2:assistant: first try: needle',
    '#2:assistant: second try: needle',
  ]);
  const [json = ''] = (await grep(['--json', 'second'], `${log}\n`)).found;
  expect(JSON.parse(json)).toMatchObject({ session: 's', cwd: '/w', role: 'assistant', message: 1 });
  expect((await grep(['-o', 'records', 'second'], `${log}\n`)).found.map((each) => JSON.parse(each).content)).toEqual([
    'second try: needle',
  ]);
  expect((await grep(['needle'], '{"kind":"strange","deep":[{"say":"a needle"}]}\n')).found).toEqual([
    '1:other: deep[0].say: a needle',
  ]);
});

test('nothing that a terminal obeys is ever written', async () => {
  const control = fc.constantFrom(
    '\x1b[2J',
    '\x1b]0;t\x07',
    '\x9b31m',
    '\u202e',
    '\x00',
    '\x7f',
    '\u{e0041}',
    'é',
    '\t',
  );
  const text = fc.array(fc.oneof(control, fc.string()), { maxLength: 8 }).map((parts) => `${parts.join('')} needle`);
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('text', 'json', 'records'), async (content, output) => {
      const { stdout } = await run('ai-grep', ['-o', output, 'needle'], {
        stdin: `${JSON.stringify({ role: 'user', content })}\n`,
      });
      expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/);
      if (output === 'records') expect(JSON.parse(stdout).content).toBe(content);
    }),
  );
});

test('plain texts find what an expression would find', async () => {
  const word = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', '.', '(') });
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', '.', '(', 'A') }),
      async (wanted, line) => {
        const fast = await compilePattern(wanted, { fixed: true, ignoreCase: false, word: false });
        const at = line.indexOf(wanted);
        expect(fast.find(line, 0)).toEqual(at < 0 ? undefined : [at, at + wanted.length]);
        expect(fast.mayMatch(line)).toBe(at >= 0);
      },
    ),
  );
});

test('hostile patterns and lines come to an end', async () => {
  const stdin = lines([{ role: 'user', content: `${'a'.repeat(500_000)}!` }]);
  expect((await run('ai-grep', ['(a*)*(a|aa)+b|a[^!]*c', '--width', '0'], { stdin })).status).toBe(1);
});
