// Conversations made at random: valid ones, with parallel calls, images, thinking and system messages.
import fc from 'fast-check';
import type { JsonObject } from '../../src/lib/json/values.ts';

const text = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((s) => s.trim() !== '');
const input = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
  noNullPrototype: true,
});

/** One step of an assistant: text, calls, or both; and for each call a result. */
const step = fc.record({
  text: fc.option(text, { nil: undefined }),
  calls: fc.array(fc.record({ name: fc.constantFrom('Read', 'Write', 'Bash'), input, result: text }), { maxLength: 3 }),
});
const turn = fc.record({ ask: text, steps: fc.array(step, { maxLength: 4 }), answer: text });

export interface Spoken {
  readonly system: string | undefined;
  readonly turns: readonly {
    ask: string;
    steps: readonly { text?: string; calls: readonly { name: string; input: unknown; result: string }[] }[];
    answer: string;
  }[];
}

export const conversation: fc.Arbitrary<Spoken> = fc.record({
  system: fc.option(text, { nil: undefined }),
  turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
}) as never;

/** As OpenAI Chat messages. */
export function asOpenAI({ system, turns }: Spoken): JsonObject[] {
  let count = 0;
  const messages: JsonObject[] = system === undefined ? [] : [{ role: 'system', content: system }];
  for (const { ask, steps, answer } of turns) {
    messages.push({ role: 'user', content: ask });
    for (const { text: said, calls } of steps) {
      if (calls.length === 0) continue;
      const ids = calls.map(() => `call_${count++}`);
      const tool_calls = calls.map((c, i) => ({
        id: ids[i],
        type: 'function',
        function: { name: c.name, arguments: JSON.stringify(c.input) },
      }));
      messages.push({ role: 'assistant', content: said ?? null, tool_calls });
      calls.forEach((c, i) => {
        messages.push({ role: 'tool', tool_call_id: ids[i], content: c.result });
      });
    }
    messages.push({ role: 'assistant', content: answer });
  }
  return messages;
}

export const asLines = (records: readonly unknown[]): string => records.map((r) => `${JSON.stringify(r)}\n`).join('');

export const readOut = (text: string): JsonObject[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
