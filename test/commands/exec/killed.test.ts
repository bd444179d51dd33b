// A run that is killed between any two records and run again: no side effect happens twice, and every call has one result.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolResultPart } from '../../../src/lib/conversation/types.ts';
import { FORMATS } from '../../../src/lib/dialects/table.ts';
import type { Format } from '../../../src/lib/dialects/types.ts';
import type { JsonObject } from '../../../src/lib/json/values.ts';
import { BUILT, Place } from '../../loop.ts';

const RUNS = Number(process.env.RUNS ?? 6);

/** Each notes what it ran for, takes a moment, and answers. Some formats have no ids, and calls get others in them. */
const script = 'read -r input; echo "$input" >>ran; sleep 0.05; echo "done $AI_CALL_ID"';
const tools = {
  look: { script, about: { annotations: { readOnlyHint: true } } },
  put: { script, about: { annotations: { idempotentHint: true } } },
  act: { script },
};

type Kind = keyof typeof tools;

function resultsIn(format: Format, records: readonly JsonObject[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const record of records) {
    if (format.recognise(record)?.kind !== 'message') continue;
    for (const part of format.readMessage(record).parts)
      if (part.type === 'tool_result') found.set(part.callId, (found.get(part.callId) ?? 0) + 1);
  }
  return found;
}

/** Whether results say whose they are. Training data may have them in order alone. */
const hasIds = (format: Format): boolean => {
  const part: ToolResultPart = { type: 'tool_result', callId: 'a', name: 'look', parts: [] };
  const [native] = format.writeMessages([{ role: 'tool', parts: [part] }], () => {});
  return native !== undefined && resultsIn(format, [native]).has('a');
};

/** Kills the run after each of these numbers of records, then lets it end. */
async function tried(format: Format, kinds: readonly Kind[], kills: readonly number[]): Promise<number> {
  const place = new Place(tools);
  try {
    const calls = kinds.map((name, i) => ({ id: `call_${i}`, name, input: { i } }));
    place.converse(format, calls);
    for (const after of kills) await place.killedTurn(after);
    // What a killed run has started may still be running.
    await new Promise((resolve) => setTimeout(resolve, 120));
    place.turn();
    const results = resultsIn(format, place.records);
    if (hasIds(format)) expect([...results.entries()].sort()).toEqual(calls.map(({ id }) => [id, 1]));
    else expect([...results.values()]).toEqual([calls.length]);
    const ran = place.read('ran').split('\n').filter(Boolean);
    for (const { input, name } of calls)
      if (name === 'act') expect(ran.filter((each) => each === JSON.stringify(input)).length).toBeLessThanOrEqual(1);
    const before = place.records.length;
    place.turn();
    expect(place.records.length).toBe(before);
    return place.records.length;
  } finally {
    place.remove();
  }
}

describe.skipIf(!BUILT).each(FORMATS.map((format) => [format.name, format] as const))('in %s', (_name, format) => {
  test('at every record', { timeout: 120_000 }, async () => {
    const all = await tried(format, ['look', 'act', 'put', 'act'], []);
    for (let after = 0; after <= all; after++) await tried(format, ['look', 'act', 'put', 'act'], [after]);
  });

  test('again and again, whatever the calls', { timeout: 600_000 }, async () => {
    const kinds = fc.array(fc.constantFrom<Kind>('look', 'put', 'act'), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(kinds, fc.array(fc.nat(6), { maxLength: 3 }), async (some, kills) => {
        await tried(format, some, kills);
      }),
      { numRuns: RUNS },
    );
  });
});
