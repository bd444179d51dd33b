// Law 14: recovering calls from deltas gives what recovering them from the whole message gives, however the message is cut and in every grammar that can be written.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tool } from '../../src/lib/conversation/types.ts';
import { GRAMMARS } from '../../src/lib/grammars/table.ts';
import { Toolset } from '../../src/lib/grammars/toolset.ts';
import { cuts, ofStream, ofWhole, type Told, tokens } from '../commands/recover-tools/beside.ts';
import { CALLS, CONTEXTS } from '../commands/recover-tools/quoting.ts';
import { spoken } from '../lib/grammars/generate.ts';

const QUERY = { type: 'object', properties: { query: { type: 'string' } } };
const TOOLSETS = [new Toolset([{ type: 'function', name: 'search', schema: QUERY }]), new Toolset(undefined)];

const callsOf = (told: Told) => told.filter(([type]) => type === 'call');
const words = (told: Told) =>
  told
    .filter(([type]) => type !== 'call')
    .map(([, said]) => said)
    .join('')
    .replace(/<\/?[\w:|]*think[\w|]*>|\[\/?THINK\]|\s/gi, '');

/** Reasoning that began in the prompt is known by its end alone: what came before that was passed on as text. */
function expectSame(text: string, stream: Told, whole: Told, how: string): void {
  const orphan = whole[0]?.[0] === 'reasoning' && stream[0]?.[0] === 'text';
  if (!orphan) {
    expect(stream, how).toEqual(whole);
    return;
  }
  expect(text).toMatch(/<\/[\w:]*think|<\|?(?:END_THINKING|thought_end|think_end|inner_suffix)|channel\|>/);
  expect([callsOf(stream), words(stream)], how).toEqual([callsOf(whole), words(whole)]);
}

function expectLaw(text: string, tools: Toolset, ways: Iterable<readonly string[]>, more?: object): void {
  const whole = ofWhole(text, tools, more);
  for (const way of ways) expectSame(text, ofStream(way, tools, more), whole, JSON.stringify(way));
}

function* allWays(text: string): Generator<readonly string[]> {
  yield tokens(text);
  yield [...text];
  if (text.length < 400) yield* cuts(text);
}

describe('calls that are quoted', () => {
  for (const [context, quote] of Object.entries(CONTEXTS))
    test(context, () => {
      for (const call of Object.values(CALLS))
        for (const tools of TOOLSETS) {
          const text = quote(call);
          expectLaw(text, tools, process.env.RUNS ? allWays(text) : [tokens(text), [...text]]);
        }
    }, 120_000);
});

describe('calls as they are written', () => {
  const written = GRAMMARS.filter(({ write }) => write);
  test.each(written.map((grammar) => [grammar.name, grammar] as const))(
    '%s',
    (_, grammar) => {
      fc.assert(
        fc.property(spoken, fc.array(fc.nat(), { maxLength: 6 }), ({ calls, tools, before, after }, places) => {
          const text = `${before}${grammar.write?.(calls, tools)}${after}`;
          const at = [...new Set(places.map((place) => place % text.length))].sort((a, b) => a - b);
          const random = [0, ...at].map((from, i) => text.slice(from, at[i])).filter((piece) => piece !== '');
          expectLaw(text, tools, [tokens(text), random]);
        }),
        { numRuns: Number(process.env.RUNS ?? 10) },
      );
    },
    120_000,
  );
});

const CORPORA = process.env.AI_CORPORA;
const CASES = join(CORPORA ?? '', 'recover-tools', 'cases.jsonl');

test.skipIf(CORPORA === undefined || !existsSync(CASES))(
  'recorded texts',
  () => {
    for (const line of readFileSync(CASES, 'utf8').split('\n').filter(Boolean)) {
      const { text, tools } = JSON.parse(line) as { text: string; tools?: { function: { name: string } }[] };
      const known = tools?.map(
        ({ function: { name, parameters } }: { function: { name: string; parameters?: object } }): Tool =>
          ({ type: 'function', name, schema: parameters }) as Tool,
      );
      if (text !== '') expectLaw(text, new Toolset(known), process.env.RUNS ? allWays(text) : [tokens(text)]);
    }
  },
  300_000,
);
