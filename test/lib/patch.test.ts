// Patches: the whole way there, and never over an edit.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digest } from '../../src/lib/json/digest.ts';
import { diff, patched } from '../../src/lib/json/patch.ts';
import type { Json } from '../../src/lib/json/values.ts';

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const block = fc.record({ type: fc.constantFrom('text', 'call'), text: fc.string(), id: fc.option(fc.string()) });
const list = fc.array(block, { maxLength: 8 }) as unknown as fc.Arbitrary<Json[]>;

describe('patches', () => {
  test('make any value into any other', () => {
    fc.assert(
      fc.property(json, json, fc.boolean(), (before, after, loose) => {
        expect(
          patched(
            before,
            diff(before, after, () => loose),
          ),
        ).toEqual(after);
      }),
      { numRuns: 1000 },
    );
  });

  test('make any list into any other, as JSON', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const changes = JSON.parse(JSON.stringify(diff(before, after, () => false)));
        expect(patched(before, changes)).toEqual(after);
      }),
      { numRuns: 1000 },
    );
  });

  test('of equal values are empty', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(diff(value, structuredClone(value), () => false)).toEqual([]);
      }),
    );
  });

  test('leave alone what has been edited since', () => {
    const changes = diff(
      { a: 1, list: [{ type: 'x', n: 1 }] },
      { a: 2, list: [{ type: 'x', n: 1, m: 2 }] },
      () => false,
    );
    expect(patched({ a: 1, list: [{ type: 'x', n: 9 }] }, changes)).toEqual({ a: 2, list: [{ type: 'x', n: 9 }] });
    expect(patched({ a: 7, list: [{ type: 'x', n: 1 }] }, changes)).toEqual({
      a: 7,
      list: [{ type: 'x', n: 1, m: 2 }],
    });
  });

  test('put an edited element in its old place', () => {
    const [call, text] = [
      { type: 'call', id: '1' },
      { type: 'text', text: 'a' },
    ];
    const changes = diff([text, call], [call, text], () => false);
    expect(patched([{ type: 'text', text: 'b' }, call], changes)).toEqual([call, { type: 'text', text: 'b' }]);
  });

  test('that are none, or hostile, change nothing and break nothing', () => {
    fc.assert(
      fc.property(json, json, (value, changes) => {
        expect(() => patched(value, changes)).not.toThrow();
      }),
    );
    const hostile = [
      { at: '', was: digest([]), order: [[0, 1e15]] },
      { at: '/__proto__/polluted', is: true },
      { at: '/x', was: 'no', is: 1, order: 'no' },
    ];
    expect(patched([1, 2], hostile)).toEqual([1, 2]);
    expect(patched({}, hostile)).toEqual({});
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('take time that grows with the list, not with its square', () => {
    const long = Array.from({ length: 50_000 }, (_, i) => ({ type: 'text', text: `${i}` }));
    const other = long.map((item, i) => (i % 3 === 0 ? { ...item, text: `${item.text}!` } : item));
    expect(
      patched(
        long,
        diff(long, other, () => false),
      ),
    ).toEqual(other);
  });
});

describe('digests', () => {
  test('are equal for equal values, whatever the order of their keys', () => {
    expect(digest({ a: 1, b: [1, { c: 'x', d: undefined }] })).toBe(digest({ b: [1, { c: 'x' }], a: 1 }));
  });

  test('tell values of other kinds apart', () => {
    const values = [
      null,
      true,
      0,
      '0',
      '',
      [],
      {},
      [[]],
      [{}],
      { '': '' },
      'null',
      [null],
      [0, 1],
      [1, 0],
      ['a', 'b'],
      ['ab'],
    ];
    expect(new Set(values.map(digest)).size).toBe(values.length);
  });
});
