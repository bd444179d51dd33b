// JSON that is spread over lines, among lines that are records.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure } from '../../src/lib/failure/failure.ts';
import type { Rec } from '../../src/lib/json/record.ts';
import { readRecords } from '../../src/lib/jsonl/read.ts';

function read(bytes: Buffer, cuts: readonly number[] = []): { records: Rec[]; failures: Failure[] } {
  const failures: Failure[] = [];
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const chunks = () =>
    at
      .slice(1)
      .map((end, i) => bytes.subarray(at[i], end))
      .filter((chunk) => chunk.length > 0);
  const input = { name: 'f', chunks, asyncChunks: async function* () {} };
  const records = [...readRecords([input], (failure) => failures.push(failure))];
  return { records, failures };
}

const value = fc.oneof(
  fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, noNullPrototype: true }),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1 }),
);

/** A value as a line or over several, and what stands behind it. */
const spelled = fc.record({
  value,
  indent: fc.constantFrom<number | string>(0, 1, 2, 4, '\t'),
  behind: fc.constantFrom('\n', '\r\n', '\n\n'),
});

test('every value is a record, and the bytes are all there, wherever the input is cut', () => {
  fc.assert(
    fc.property(fc.array(spelled, { maxLength: 6 }), fc.array(fc.nat(2000), { maxLength: 6 }), (all, cuts) => {
      const text = all.map(({ value: v, indent, behind }) => JSON.stringify(v, null, indent) + behind).join('');
      const bytes = Buffer.from(text);
      const { records, failures } = read(
        bytes,
        cuts.map((cut) => cut % (bytes.length + 1)),
      );
      expect(failures).toEqual([]);
      expect(records.filter((rec) => rec.value !== undefined).map((rec) => rec.value)).toEqual(
        all.map(({ value: v }) => JSON.parse(JSON.stringify(v))),
      );
      expect(records.map(({ source }) => source).join('')).toBe(text);
    }),
  );
});

test('documents may follow each other on one line', () => {
  const { records } = read(Buffer.from('{\n "a": 1\n}{\n "b": "}"\n} {"c":3}\n{"d":4}\n'));
  expect(records.map(({ value: v, line }) => [v, line])).toEqual([
    [{ a: 1 }, 1],
    [{ b: '}' }, 3],
    [{ c: 3 }, 5],
    [{ d: 4 }, 6],
  ]);
});

test('a record that was cut off is not the beginning of a document', () => {
  const { records, failures } = read(Buffer.from('{"a":[1,\n{"b":2}\n'));
  expect(failures.map(({ place, message }) => `${place}: ${message}`)).toEqual([
    'f:1: cannot parse JSON: unexpected end at character 9',
  ]);
  expect(records.map(({ value: v }) => v)).toEqual([undefined, { b: 2 }]);
});

test('a document that never ends, or is broken, is told with the line where it breaks', () => {
  const said = (text: string) => read(Buffer.from(text)).failures.map(({ place, message }) => `${place}: ${message}`);
  expect(said('{\n  "a": 1,\n')).toEqual(['f:2: cannot parse JSON: unexpected end at character 10']);
  expect(said('{\n  "a": oops\n}\n{"b":1}\n')).toEqual(['f:2: cannot parse JSON: unexpected character at character 8']);
});

test.each(['{\n', '{\n ', '[\n', '{"a":\n', ' ]\n', '{\n}{\n'])('%j without end comes to one', (line) => {
  expect(read(Buffer.from(line.repeat(100_000))).failures).not.toEqual([]);
});
