// What ai-condense says to be the floor, against every way to leave messages out, counted by js-tiktoken.
import { getEncoding } from 'js-tiktoken';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { run } from '../../run.ts';
import { generate } from './conversations.ts';

const encoding = getEncoding('o200k_base');
const tokens = (text: unknown): number => (typeof text === 'string' ? encoding.encode(text, [], []).length : 0);

interface Line extends JsonObject {
  readonly role: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

/** As OpenAI's models count: 4 for a message, 10 for a call. */
const sizeOf = (line: Line): number =>
  4 +
  tokens(line.content) +
  tokens(line.reasoning_content) +
  (line.tool_calls ?? []).reduce(
    (sum, call) => sum + tokens(call.function.name) + tokens(call.function.arguments) + 10,
    0,
  );

const total = (lines: readonly Line[]): number => 3 + lines.reduce((sum, line) => sum + sizeOf(line), 0);

/** Every call is answered at once, and nothing else is. */
function isValid(lines: readonly Line[]): boolean {
  const open = new Set<string>();
  for (const line of lines) {
    if (line.role === 'tool') {
      if (!open.delete(line.tool_call_id ?? '')) return false;
    } else if (open.size > 0) return false;
    for (const call of line.tool_calls ?? []) open.add(call.id);
  }
  return open.size === 0;
}

/** The smallest valid conversation with all that must stay. */
function smallest(lines: readonly Line[]): number {
  const asks = lines.filter(({ role }) => role === 'user');
  const must = lines.filter((line) => line.role === 'system' || line === asks[0] || line === asks.at(-1));
  let least = Number.POSITIVE_INFINITY;
  for (let chosen = 0; chosen < 1 << lines.length; chosen++) {
    const left = lines.filter((_, i) => (chosen >> i) & 1);
    if (must.every((line) => left.includes(line)) && isValid(left)) least = Math.min(least, total(left));
  }
  return least;
}

const small = Array.from({ length: 400 }, (_, seed) => generate(seed, 'openai'))
  .filter(({ head, messages }) => head === undefined && messages.length > 4 && messages.length < 11)
  .map(({ messages }) => messages as unknown as Line[])
  .filter((lines) => isValid(lines) && lines.every(({ content }) => !Array.isArray(content)))
  .slice(0, 12);

test.each(small.map((lines, i) => [i, lines] as const))('conversation %i', async (_, lines) => {
  const floor = smallest(lines);
  const stdin = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const condense = (budget: number) => run('ai-condense', ['--budget', String(budget)], { stdin });
  const { stderr, status } = await condense(floor - 1);
  expect({ status, said: stderr.includes(`what must be kept takes ${floor}: `) }).toEqual({ status: 1, said: true });
  const { stdout } = await condense(floor);
  expect(
    total(
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ),
  ).toBeLessThanOrEqual(floor);
});
