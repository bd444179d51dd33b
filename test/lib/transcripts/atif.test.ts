// Trajectories: what is read is written again as it was.
import { describe, expect, test } from 'vitest';
import { atif } from '../../../src/lib/transcripts/texts/atif/index.ts';
import { readLines } from '../../fixtures.ts';
import { expectSame } from '../../laws/same.ts';

const trajectories = readLines(`${import.meta.dirname}/../../fixtures/atif/trajectories.jsonl`);

describe('atif', () => {
  trajectories.forEach((native, i) =>
    test(`trajectory ${i + 1} comes back equal`, () => {
      const [transcript] = atif.read([{ value: native }], { all: false }, () => {});
      expect(atif.recognise(native)).toBe(true);
      expect(transcript).toBeDefined();
      const fresh = { now: () => 0, uuid: () => 'x' };
      expectSame(transcript && atif.write?.(transcript, fresh, () => {}), [native]);
    }),
  );
});
