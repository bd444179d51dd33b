// Law 6: every tool result keeps its call and every answered call its result, through condense, recover and transform.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Role } from '../../src/lib/conversation/types.ts';
import { conversations, headOf, messageOf } from '../../src/lib/conversion/gather.ts';
import { Calls } from '../../src/lib/dialects/codec/call-ids.ts';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { APIS } from '../fixtures.ts';
import { run } from '../run.ts';
import { asLines, asOpenAI, conversation, readOut, type Spoken } from './generate.ts';

const PROGRAMS_KEEP = 'keeps every call with its result';

describe.each(APIS)('$name', ({ name }) => {
  test(`condensing to any budget ${PROGRAMS_KEEP}, the system prompt, the first and the last user message`, async () => {
    let condensed = 0;
    await fc.assert(
      fc.asyncProperty(conversation, fc.integer({ min: 1, max: 100 }), async (spoken, percent) => {
        const stdin = (await run('ai-transform', ['--to', name], { stdin: asLines(asOpenAI(spoken)) })).stdout;
        const budget = Math.max(1, Math.floor((stdin.length / 3) * (percent / 100)));
        const { stdout, status } = await run('ai-condense', ['--budget', String(budget)], { stdin });
        if (status === 1) return;
        if (stdout !== stdin) condensed += 1;
        const before = messagesIn(stdin, name);
        const after = messagesIn(stdout, name);
        expect(orphans(before)).toEqual([]);
        expect(orphans(after)).toEqual([]);
        for (const kept of [before.find(isAsk), before.findLast(isAsk), before.find(({ role }) => role === 'system')])
          if (kept) expect(textsOf(after, kept.role)).toEqual(expect.arrayContaining(textsOf([kept], kept.role)));
      }),
      { numRuns: Number(process.env.RUNS ?? 40) },
    );
    expect(condensed).toBeGreaterThan(0);
  });

  test(`recovering calls from text ${PROGRAMS_KEEP}`, async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (spoken) => {
        const chat = asLines(asOpenAI(withCallAsText(spoken)));
        const stdin = (await run('ai-transform', ['--to', name], { stdin: chat })).stdout;
        const { stdout } = await run('ai-recover-tools', [], { stdin });
        // The call that stood in the last answer waits for its result.
        expect(orphans(messagesIn(stdout, name))).toEqual([expect.stringMatching(/^call /)]);
      }),
      { numRuns: Number(process.env.RUNS ?? 20) },
    );
  });
});

const OTHERS = APIS.map(({ name }) => name).filter((name) => name !== 'openai');

test.each(OTHERS)('to %s and back every call and result is there, in order', async (to) => {
  await fc.assert(
    fc.asyncProperty(conversation, async (spoken) => {
      const messages = asOpenAI(spoken);
      const there = await run('ai-transform', ['--to', to], { stdin: asLines(messages) });
      expect(orphans(messagesIn(there.stdout, to))).toEqual([]);
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

const CALL = '<tool_call>\n{"name": "Read", "arguments": {"path": "a"}}\n</tool_call>';

/** The same with a call in the text of the last answer. */
const withCallAsText = (spoken: Spoken): Spoken => ({
  ...spoken,
  turns: spoken.turns.map((turn, i) => (i === spoken.turns.length - 1 ? { ...turn, answer: CALL } : turn)),
});

/** The messages of a conversation in a dialect, as programs see them: those of its head first, calls and results with ids. */
function messagesIn(lines: string, from: string): Message[] {
  const calls = new Calls();
  const records = readOut(lines).map((value) => ({ value }));
  return [...conversations(records, from)].flatMap((found) =>
    [...headOf(found).messages, ...found.items.flatMap((item) => messageOf(item) ?? [])].map((message) =>
      calls.follow(message, from),
    ),
  );
}

const isAsk = ({ role, parts }: Message): boolean =>
  role === 'user' && !parts.some(({ type }) => type === 'tool_result');

/** All texts of a role: an API may put its messages together. */
const textsOf = (messages: readonly Message[], role: Role): string[] =>
  messages.flatMap((message) =>
    message.role === role ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );

/** Ids of results without an open call before them, and of calls without a result. */
function orphans(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  const lonely: string[] = [];
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool_call') open.add(part.id);
    if (part.type === 'tool_result' && !open.delete(part.callId)) lonely.push(`result ${part.callId}`);
  }
  return [...lonely, ...[...open].map((id) => `call ${id}`)];
}
