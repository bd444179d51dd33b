// What ai-condense promises of its result: within budget, valid, nothing forgotten that matters, and steady from one request to the next.
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/lib/conversation/types.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { run } from '../../run.ts';
import { countTokens } from '../../tokens.ts';
import { asText, parse, session } from './sessions.ts';

const openai = FORMATS.find(({ name }) => name === 'openai');
const read = (line: JsonObject): Message => openai?.readMessage(line) as Message;
const size = (lines: readonly JsonObject[]): number => countTokens(undefined, { messages: lines.map(read) });
/** Exactly: without a trigger of its own, less of the size would be left. */
const exactly = (budget: number) => ['--trigger', String(budget), '--budget', String(budget)];
const condense = (argv: readonly string[], stdin: string) => run('ai-condense', argv, { stdin });

describe('a session of 40 turns', () => {
  const { lines, facts } = session(40);
  const stdin = asText(lines);
  const whole = size(lines);

  test.each([75, 50, 25])('fits %i percent of its size and uses it', async (percent) => {
    const budget = Math.floor((whole * percent) / 100);
    const { stdout, status } = await condense(exactly(budget), stdin);
    expect(status).toBe(0);
    const tokens = size(parse(stdout));
    expect(tokens).toBeLessThanOrEqual(budget);
    expect(tokens).toBeGreaterThan(0.95 * budget);
  });

  test('at a quarter of its size every fact that the user told is there, and most of errors and arguments', async () => {
    const { stdout } = await condense(exactly(Math.floor(whole / 4)), stdin);
    const share = (all: readonly string[]) => all.filter((fact) => stdout.includes(fact)).length / all.length;
    expect(share(facts.said)).toBe(1);
    expect(share(facts.failed)).toBeGreaterThan(0.8);
    expect(share(facts.argued)).toBeGreaterThan(0.8);
  });

  test('a larger budget keeps all that a smaller one keeps', async () => {
    let before: readonly string[] = [];
    for (const percent of [15, 20, 30, 45, 60, 80]) {
      const { stdout } = await condense(exactly(Math.floor((whole * percent) / 100)), stdin);
      const now = stdout.split('\n').filter((line) => line !== '' && stdin.includes(line));
      expect(before.filter((line) => !now.includes(line))).toEqual([]);
      before = now;
    }
  });

  test('with a trigger above the budget the beginning stands still while the conversation grows', async () => {
    let before = '';
    let moved = 0;
    const cuts = lines.flatMap((line, i) => (line.role === 'assistant' && i > 40 ? [i] : []));
    for (const cut of cuts) {
      const { stdout } = await condense(['--trigger', '6000', '--budget', '3000'], asText(lines.slice(0, cut)));
      if (!stdout.startsWith(before)) moved += 1;
      before = stdout;
    }
    expect(moved).toBeGreaterThan(1);
    expect(moved).toBeLessThan(cuts.length / 8);
  });

  test('what cannot fit is told with what it takes', async () => {
    const floor = Math.ceil(size(lines.filter((_, i) => i < 2 || i === lines.length - 1)));
    expect(await condense(['--budget', String(floor - 1)], stdin)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(`what must be kept takes ${floor}: `),
    });
    const { stdout, status } = await condense(['--budget', String(floor)], stdin);
    expect(status).toBe(0);
    expect(parse(stdout)).toHaveLength(3);
  });
});
