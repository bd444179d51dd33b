// An agent that is killed between any two records and started again: no command runs twice, every call gets one result, the task ends well.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json/values.ts';
import type { FaultServer } from '../fault-server.ts';
import { BUILT } from '../loop.ts';
import { scriptedModel } from '../scripted-model.ts';
import { MENDING, Repository } from './place.ts';

/** With RUNS set: so many runs at any moment, and one at every record; else some of each. */
const RUNS = Number(process.env.RUNS ?? 2);
const EVERY = process.env.RUNS ? 1 : 3;

let model: FaultServer;

beforeEach(async () => {
  model = await scriptedModel(MENDING);
});
afterEach(async () => {
  await model[Symbol.asyncDispose]();
});

const idsOf = (records: readonly JsonObject[], type: 'call' | 'result') =>
  records.flatMap(({ role, tool_calls, tool_call_id }) => {
    if (type === 'result') return role === 'tool' ? [String(tool_call_id)] : [];
    return Array.isArray(tool_calls) ? tool_calls.map((call) => String((call as JsonObject).id)) : [];
  });

const PROMPT = 'mend sum.sh';

/** Runs the task, killed with all of it whenever one of `stops` says so, then to its end; returns how many records there are. */
async function tried(stops: readonly ((lines: number) => boolean)[], withPrompt: boolean): Promise<number> {
  const place = new Repository(model.url);
  try {
    const lines = () => place.read('c.jsonl').split('\n').length - 1;
    const isSaid = () => place.read('c.jsonl').includes(PROMPT);
    const args = () => [place.conversation, ...(withPrompt || !isSaid() ? [PROMPT] : [])];
    for (const stop of stops) {
      // Once it has answered, the same prompt would be a new one.
      if (place.read('c.jsonl').includes('Mended')) break;
      await place.run(args(), {}, () => stop(lines()));
    }
    const rest = place.read('c.jsonl').includes('Mended') ? [place.conversation] : args();
    expect(await place.run(rest)).toMatchObject({ stdout: 'Mended: sum.sh subtracted.\n', stderr: '', status: 0 });
    const { records } = place;
    expect(idsOf(records, 'result')).toEqual(idsOf(records, 'call'));
    const ran = place.read('work/ran').split('\n').filter(Boolean);
    expect(ran.length).toBe(new Set(ran).size);
    expect(records.filter(({ role, content }) => role === 'user' && content === PROMPT)).toHaveLength(1);
    return records.length;
  } finally {
    place.remove();
  }
}

describe.skipIf(!BUILT)('killed', () => {
  test('at every record', { timeout: 900_000 }, async () => {
    const all = await tried([], false);
    const first = 1 + Math.floor(Math.random() * EVERY);
    for (let after = first; after < all; after += EVERY) await tried([(lines) => lines >= after], after % 2 === 0);
  });

  test('again and again, at any moment', { timeout: 900_000 }, async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(delays, fc.boolean(), async (some, withPrompt) => {
        const stops = some.map((delay) => {
          let began = 0;
          return () => {
            began ||= performance.now();
            return performance.now() - began > delay;
          };
        });
        await tried(stops, withPrompt);
      }),
      { numRuns: RUNS },
    );
  });
});
