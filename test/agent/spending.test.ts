// What sub-agents spend is spent by their parent, also after a kill.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultServer } from '../fault-server.ts';
import { BUILT, bin } from '../loop.ts';
import { type Step, scriptedModel } from '../scripted-model.ts';
import { Repository } from './place.ts';

let model: FaultServer;
let place: Repository;

const task = (prompt: string): Step => [{ name: 'Task', input: { description: 'a', prompt } }];
const parent: readonly Step[] = [task('child one'), 'The parent has answered.'];
const child: readonly Step[] = ['The child has answered.'];
const nesting: readonly Step[] = [task('grandchild'), 'The child has answered.'];

type Asked = { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] };
const isFor = (who: string) => (asked: Asked) =>
  asked.messages.some(({ role, content }) => role === 'user' && String(content).startsWith(who));

/** gpt-4o: 10 USD for a million tokens of an answer. */
const THREE_DOLLARS = 300_000;

async function setUp(script: readonly Step[], dear: (asked: Asked) => boolean): Promise<void> {
  const pick = (asked: Asked) => (isFor('grandchild')(asked) ? child : isFor('child')(asked) ? script : parent);
  model = await scriptedModel(parent, pick, (asked) => (dear(asked) ? THREE_DOLLARS : 5));
  place = new Repository(model.url);
}

beforeEach(() => setUp(child, isFor('child')));
afterEach(async () => {
  await model[Symbol.asyncDispose]();
  place.remove();
});

function wc(...argv: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(bin('ai-wc'), argv, { input: readFileSync(place.conversation) });
  return { stdout: String(stdout), stderr: String(stderr), status };
}
const count = () => JSON.parse(wc('--json').stdout);

describe.skipIf(!BUILT)('what a sub-agent spends', { timeout: 120_000 }, () => {
  test('is counted by its parent, and reaches its limit', async () => {
    const { stderr, status } = await place.run(['--max', 'usd=2', place.conversation, 'delegate']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('stopped by --max usd=2')]);
    expect(count()).toMatchObject({
      usd: expect.closeTo(3, 2),
      agents: { conversations: 1, usd: expect.closeTo(3, 2) },
    });
    expect(wc('-m', 'usd=2')).toMatchObject({ status: 1, stderr: expect.stringMatching(/usd: 3\.\d+ of 2/) });
    expect(wc('-q', '-m', 'usd=4').status).toBe(0);
    expect(wc().stdout).toMatch(/^usd +3\.00 {2}3\.00 of it by 1 sub-agent$/m);
  });

  test('is counted once, however deep it was spent', async () => {
    await model[Symbol.asyncDispose]();
    place.remove();
    await setUp(nesting, isFor('grandchild'));
    const { status } = await place.run([place.conversation, 'delegate'], { AI_MAX_DEPTH: '2' });
    expect([status, count().usd]).toEqual([0, expect.closeTo(3, 2)]);
    expect(count().agents).toMatchObject({ conversations: 1, usd: expect.closeTo(3, 2) });
  });

  test('is counted after a kill, though its call never gave a result', async () => {
    const spent = () => place.read('c.d/call_0_0.jsonl').includes('"usd"');
    await place.run([place.conversation, 'delegate'], {}, spent);
    await place.run([place.conversation]);
    expect(count()).toMatchObject({ usd: expect.closeTo(3, 2), agents: { usd: expect.closeTo(3, 2) } });
  });

  test('leaves the next one half of what is left', async () => {
    const first = task('child one') as readonly { readonly name: string }[];
    await model[Symbol.asyncDispose]();
    place.remove();
    const twice: readonly Step[] = [first as Step, task('grandchild'), 'The parent has answered.'];
    const shows: readonly Step[] = [[{ name: 'Bash', input: { command: 'echo "max $AI_MAX"' } }], 'Seen.'];
    const pick = (asked: Asked) => (isFor('grandchild')(asked) ? shows : isFor('child')(asked) ? child : twice);
    model = await scriptedModel(twice, pick, (asked) => (isFor('child')(asked) ? THREE_DOLLARS : 5));
    place = new Repository(model.url);
    await place.run(['--max', 'usd=5', place.conversation, 'delegate']);
    const [, max] = /max usd=([\d.]+)/.exec(place.read('c.d/call_1_0.jsonl')) ?? [];
    expect(Number(max)).toBeCloseTo(1, 2);
  });
});
