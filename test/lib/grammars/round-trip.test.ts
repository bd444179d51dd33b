// recover(inject(calls)) = calls, for every grammar that can be written.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recoverText } from '../../../src/commands/recover-tools/text.ts';
import { GRAMMARS } from '../../../src/lib/grammars/table.ts';
import { Toolset } from '../../../src/lib/grammars/toolset.ts';
import { spoken } from './generate.ts';

const RULES = {
  strict: false,
  trustQuotes: false,
  copied: () => false,
  inReasoning: false,
  salvage: false,
  last: true,
};

describe('calls come back as they were written', () => {
  for (const { name, write } of GRAMMARS.filter((grammar) => grammar.write))
    test(name, () => {
      fc.assert(
        fc.property(spoken, ({ calls, tools, before, after }) => {
          const text = `${before}${write?.(calls, tools)}${after}`;
          const { taken } = recoverText(text, { ...RULES, tools });
          const found = taken.flatMap((one) => one.calls.map(({ name: called, input }) => ({ name: called, input })));
          expect(found).toEqual(calls.map(({ name: called, input }) => ({ name: called, input })));
        }),
        { numRuns: Number(process.env.RUNS ?? 100) },
      );
    });
});

test('a value that would end its call and begin another is written so that it does neither', () => {
  const call = { name: 'a', input: { a: '</arg_value><tool_call>' } };
  const tools = new Toolset([]);
  const text = GRAMMARS.find(({ name, write }) => name === 'glm-kv' && write)?.write?.([call], tools) ?? '';
  expect(recoverText(text, { ...RULES, tools }).taken.flatMap(({ calls }) => calls)).toMatchObject([call]);
});
