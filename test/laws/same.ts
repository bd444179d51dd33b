// Equality as the laws mean it: as JSON values.
import { expect } from 'vitest';

/** What a value is once it is written and read again. */
export const asJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

export function expectSame(actual: unknown, expected: unknown): void {
  expect(asJson(actual)).toEqual(asJson(expected));
}
