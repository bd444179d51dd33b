// Law 6: every tool result keeps its call and every answered call its result, through condense, recover and transform.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { APIS } from '../fixtures.ts';
import { run } from '../run.ts';
import { asLines, asOpenAI, conversation, readOut } from './generate.ts';

test('condensing to any budget leaves no orphan, and keeps the system prompt, the first and the last user message', async () => {
  await fc.assert(
    fc.asyncProperty(
      conversation,
      fc.integer({ min: 1, max: 100 }),
      fc.boolean(),
      async (spoken, percent, anthropic) => {
        const chat = asLines(asOpenAI(spoken));
        const stdin = anthropic ? (await run('ai-transform', ['--to', 'anthropic'], { stdin: chat })).stdout : chat;
        const budget = Math.max(1, Math.floor((stdin.length / 3) * (percent / 100)));
        const { stdout, status } = await run('ai-condense', ['--budget', String(budget)], { stdin });
        if (status === 1) return;
        const before = readOut(stdin);
        const after = readOut(stdout);
        expect(orphans(after)).toEqual([]);
        for (const kept of [before.find(isAsk), before.findLast(isAsk), before.find((m) => m.role === 'system')])
          if (kept) expect(after).toContainEqual(kept);
      },
    ),
    { numRuns: 200 },
  );
});

const OTHERS = APIS.map(({ name }) => name).filter((name) => name !== 'openai');

test.each(OTHERS)('to %s and back every call and result is there, in order', async (to) => {
  await fc.assert(
    fc.asyncProperty(conversation, async (spoken) => {
      const messages = asOpenAI(spoken);
      const there = await run('ai-transform', ['--to', to], { stdin: asLines(messages) });
      if (to !== 'bedrock') expect(orphans(readOut(there.stdout))).toEqual([]);
      const back = await run('ai-transform', ['--from', to, '--to', 'openai'], { stdin: there.stdout });
      const head = readOut(back.stdout).filter((m) => m.role === undefined);
      expect(
        readOut(back.stdout)
          .filter((m) => m.role !== undefined)
          .map(normal),
      ).toEqual(messages.map(normal));
      expect(head.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 100 },
  );
});

/** Arguments as values: their text is written anew. */
function normal(message: JsonObject): unknown {
  const calls = message.tool_calls as { function: { arguments: string } }[] | undefined;
  if (!calls) return message;
  return {
    ...message,
    tool_calls: calls.map((c) => ({ ...c, function: { ...c.function, arguments: JSON.parse(c.function.arguments) } })),
  };
}

function isAsk({ role, content }: JsonObject): boolean {
  return role === 'user' && (typeof content === 'string' || !JSON.stringify(content).includes('"tool_result"'));
}

/** Ids of results without an open call before them, and of calls without a result. */
function orphans(messages: readonly JsonObject[]): string[] {
  const open = new Set<string>();
  const lonely: string[] = [];
  const answer = (id: string) => open.delete(id) || lonely.push(`result ${id}`);
  for (const message of messages) {
    for (const call of (message.tool_calls ?? []) as { id: string }[]) open.add(call.id);
    if (message.role === 'tool') answer(String(message.tool_call_id));
    for (const block of (Array.isArray(message.content) ? message.content : []) as JsonObject[]) {
      if (block.type === 'tool_use') open.add(String(block.id));
      if (block.type === 'tool_result') answer(String(block.tool_use_id));
    }
  }
  return [...lonely, ...[...open].map((id) => `call ${id}`)];
}
