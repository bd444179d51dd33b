// Rules about records: accepted bodies broken in one way each are found, named in a line, and mended to what is found good.
import { describe, expect, test } from 'vitest';
import { mendRecords } from '../../src/lib/constraints/records/check.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { run } from '../run.ts';
import { BROKEN } from './broken-records.ts';
import { MISSHAPEN } from './misshapen-records.ts';
import { BASES } from './whole-records.ts';

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** No repair can help here without making something up. */
const STAYS = new Set([
  ...['prefill on 4.6', 'prefill with thinking', 'role tool', 'only system'],
  ...['no messages', 'no contents', 'empty input'],
  ...[
    'a role of Gemini',
    'no role',
    'an unknown role',
    'a block of Chat',
    'an address without TLS',
    'a type that is none',
  ],
  ...[
    'required as a text',
    'a property with a space',
    '21 strict tools',
    '17 unions',
    'an unknown part',
    'an unknown item',
  ],
  ...[
    'an image as an object',
    'content',
    'a text as content',
    'two in one',
    'a schema of a text',
    'an address that is none',
  ],
]);

describe.each(Object.keys(BROKEN))('%s', (api) => {
  const base = BASES[api] as JsonObject;
  const check = (stdin: string) => run('ai-transform', ['--check', '--from', api], { stdin });

  test('the body is accepted', async () => expect(await check(line(base))).toMatchObject({ status: 0, stdout: '' }));

  for (const [name, breaks] of [...(BROKEN[api] ?? []), ...(MISSHAPEN[api] ?? [])])
    test(name, async () => {
      const broken = structuredClone(base);
      breaks(broken);
      const { status, stdout } = await check(line(broken));
      expect(status).toBe(1);
      for (const found of stdout.trim().split('\n')) expect(found).toMatch(/^-:1: [a-z-]+: .+, .+$/);
      if (STAYS.has(name)) return;
      const mended = await run('ai-transform', ['--repair', '--from', api, '-q'], { stdin: line(broken) });
      expect(await check(mended.stdout)).toMatchObject({ status: 0, stdout: '' });
    });
});

test('a repair keeps the system prompt where it was', async () => {
  const stdin = line({ ...BASES.anthropic, temperature: 3 });
  const { stdout } = await run('ai-transform', ['--repair', '--from', 'anthropic', '-q'], { stdin });
  expect(JSON.parse(stdout)).toEqual({ ...BASES.anthropic, temperature: 1 });
});

test('there are two hundred of them', () => {
  expect(Object.values(BROKEN).flat().length).toBeGreaterThan(200);
});

test('as much is mended as there is', () => {
  const messages = Array.from({ length: 300_000 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'developer',
    content: 'a',
  }));
  const { did, records } = mendRecords('mistral', { messages });
  expect(did).toHaveLength(150_000);
  expect(records.messages.some(({ role }) => role === 'developer')).toBe(false);
});
