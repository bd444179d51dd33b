// Errors that say "too long", and errors that only sound like it, in the words of providers, gateways and servers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overflowIn } from '../../src/lib/providers/overflow.ts';

type Sample = readonly [status: number, text: string];
const samples: { yes: Sample[]; no: Sample[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/overflow.json'), 'utf8'),
);

test.each(samples.yes)('%i %s: the conversation is too long', (status, text) => {
  expect(overflowIn(status, text)).toBeDefined();
  expect(overflowIn(status, text.toUpperCase())).toBeDefined();
  expect(overflowIn(status, JSON.stringify({ error: { message: text } }))).toBeDefined();
});

test.each(samples.no)('%i %s: another matter', (status, text) => {
  expect(overflowIn(status, text)).toBeUndefined();
  expect(overflowIn(status, JSON.stringify({ error: { message: text } }))).toBeUndefined();
});

test('a body that is too large is refused without a word', () => {
  expect(overflowIn(413, '')).toEqual({});
  expect(overflowIn(400, '')).toEqual({});
  expect(overflowIn(500, '')).toBeUndefined();
});

test('the limit and the size are told where they are clear', () => {
  expect(overflowIn(400, 'prompt is too long: 213,462 tokens > 200,000 maximum')).toEqual({
    limit: 200_000,
    asked: 213_462,
  });
  expect(overflowIn(400, 'context window exceeds limit (2013)')).toEqual({});
});

test.each(['prompt exceeds ', 'token ', 'a', 'input too ', 'image '])('a megabyte of "%s" is answered', (unit) =>
  expect(() => overflowIn(400, unit.repeat(1_000_000 / unit.length))).not.toThrow(),
);
