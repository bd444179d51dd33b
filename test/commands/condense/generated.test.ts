// What ai-condense promises, on conversations made at random in every dialect, whole and broken. RUNS=n makes n of them.
import { describe, expect, test } from 'vitest';
import { check } from '../../../src/lib/constraints/rules/check.ts';
import type { Head, Message } from '../../../src/lib/conversation/types.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { run } from '../../run.ts';
import { countTokens } from '../../tokens.ts';
import { type Chance, DIALECTS, dice, type Generated, generate } from './conversations.ts';

const RUNS = Number(process.env.RUNS ?? 96);
const STRATEGIES = ['reasoning', 'superseded', 'images', 'arguments', 'results', 'clip', 'digest', 'window'];

/** What no change of the messages can mend: it is said of the head, or of the model. */
const BEYOND = ['tools-missing', 'system-place', 'last-turn', 'thinking-first', 'tool-name'];

class Sample {
  readonly made: Generated;
  readonly rolled: boolean;
  readonly text: string;

  constructor(seed: number, chance: Chance) {
    const dialect = DIALECTS[seed % DIALECTS.length] as string;
    this.made = generate(seed, dialect);
    this.rolled = this.made.head !== undefined && ['anthropic', 'openai'].includes(dialect) && chance() < 0.3;
    const { head, messages, format } = this.made;
    this.text = this.rolled
      ? `${JSON.stringify({ ...head, [format.messagesKey]: messages })}\n`
      : [...(head ? [head] : []), ...messages].map((line) => `${JSON.stringify(line)}\n`).join('');
  }

  natives(text: string): { head?: JsonObject; messages: JsonObject[] } {
    const all = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    if (!this.rolled) return this.made.head ? { head: all[0], messages: all.slice(1) } : { messages: all };
    const { [this.made.format.messagesKey]: messages, ...head } = all[0];
    return { head, messages };
  }

  view(text: string): { head: Head; inHead: number; messages: Message[] } {
    const { format } = this.made;
    const { head, messages } = this.natives(text);
    const top = head ? format.readHead(head) : { head: {}, messages: [] };
    return {
      head: top.head,
      inHead: top.messages.length,
      messages: [...top.messages, ...messages.map((m) => format.readMessage(m))],
    };
  }

  size(text: string): number {
    const { head, messages } = this.view(text);
    return countTokens(head.model, { head, messages }, this.made.format.name);
  }

  findings(text: string): unknown[] {
    const { format, head } = this.made;
    const view = this.view(text);
    const request = { format: format.name, ...view, head: head ? view.head : undefined, open: true };
    return check(request).filter(({ rule }) => !BEYOND.includes(rule));
  }

  /** What the user said, without what says nothing. */
  asked(text: string): string[] {
    const { messages } = this.view(text);
    return messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : [])),
      );
  }
}

const condense = (argv: readonly string[], stdin: string) => run('ai-condense', argv, { stdin });

function optionsFrom(chance: Chance): string[] {
  const chosen = chance() < 0.3 ? [] : STRATEGIES.filter(() => chance() < 0.5);
  return [
    ...(chosen.length > 0 ? ['--strategy', chosen.join(',')] : []),
    ...(chance() < 0.15 ? ['--keep-first', String(Math.floor(chance() * 5))] : []),
    ...(chance() < 0.15 ? ['--keep-last', String(Math.floor(chance() * 5))] : []),
  ];
}

describe.each(Array.from({ length: RUNS }, (_, seed) => seed))('conversation %i', (seed) => {
  const chance = dice(seed * 7 + 1);
  const sample = new Sample(seed, chance);
  // Without a head these are taken for Chat.
  const known = sample.made.head !== undefined || !['mistral', 'ollama', 'cohere'].includes(sample.made.format.name);
  const whole = sample.size(sample.text);
  const options = optionsFrom(chance);

  test.runIf(known).each([10, 25, 50, 75])('at %i percent', async (percent) => {
    const budget = Math.max(1, Math.floor((whole * percent) / 100));
    const argv = ['--budget', String(budget), ...options];
    const { stdout, stderr, status } = await condense(argv, sample.text);
    if (status === 1) return expectFloor(stderr, options, sample.text, whole);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(sample.size(stdout)).toBeLessThanOrEqual(budget);
    expect(sample.findings(stdout)).toEqual([]);
    const [asked, left] = [sample.asked(sample.text), sample.asked(stdout).join('\n')];
    if (asked.length > 0)
      expect([left.includes(asked[0] as string), left.includes(asked.at(-1) as string)]).toEqual([true, true]);
    expect((await condense(argv, stdout)).stdout).toBe(stdout);
  });
});

/** With what it says to be the floor it fits, and with a token less it does not. A repair may have made it larger than it was. */
async function expectFloor(stderr: string, options: readonly string[], text: string, whole: number): Promise<void> {
  const floor = Number(/(?:takes|at least) (\d+):/.exec(stderr)?.[1]);
  expect((await condense(['--budget', String(floor), ...options], text)).status).toBe(0);
  if (floor <= whole) expect((await condense(['--budget', String(floor - 1), ...options], text)).status).toBe(1);
}
