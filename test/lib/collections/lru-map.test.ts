// Recent: what was met lately is known, and no more is kept however much comes.
import { expect, test } from 'vitest';
import { Recent } from '../../../src/lib/collections/lru-map.ts';

const LATELY = 16_384;

test('what was set or asked for lately is there', () => {
  const recent = new Recent<number>();
  for (let i = 0; i < 10 * LATELY; i += 1) {
    recent.set(`k${i}`, i);
    expect(recent.get('k0')).toBe(0);
    // Each step sets one key and asks for another, so that half as many steps ago is lately.
    const before = i - LATELY / 2 + 2;
    if (before > 0) expect(recent.get(`k${before}`)).toBe(before);
  }
});

test('what was neither for long is forgotten', () => {
  const recent = new Recent<number>();
  for (let i = 0; i < 3 * LATELY; i += 1) recent.set(`k${i}`, i);
  expect(recent.get('k0')).toBeUndefined();
  expect(recent.has(`k${3 * LATELY - 1}`)).toBe(true);
});

test('what is deleted is gone, also from before', () => {
  const recent = new Recent<number>();
  expect(recent.isEmpty).toBe(true);
  recent.set('a', 1);
  for (let i = 0; i < LATELY; i += 1) recent.set(`k${i}`, i);
  expect(recent.get('a')).toBe(1);
  recent.delete('a');
  expect(recent.get('a')).toBeUndefined();
  expect(recent.isEmpty).toBe(false);
});
