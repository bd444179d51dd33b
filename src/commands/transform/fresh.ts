// New ids and times for what is written.
import type { Context } from '../../lib/cli/filter.ts';
import type { Fresh } from '../../lib/dialects/types.ts';

/** Ids and times from the context, so that tests can fix them. No two ids are equal, even where chance stands still. */
export function freshFrom({ now, random }: Context): Fresh {
  let count = 0;
  const hex = (digits: number, salt: number) =>
    Array.from({ length: digits }, (_, i) =>
      ((Math.floor(random() * 16) ^ mixed(salt * 32 + i)) & 15).toString(16),
    ).join('');
  return {
    now,
    uuid() {
      count += 1;
      const all = hex(32, count);
      const variant = '89ab'[Math.floor(random() * 4)];
      return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-${variant}${all.slice(17, 20)}-${all.slice(20)}`;
    },
  };
}

/** A number with its bits stirred (the finalizer of MurmurHash3). */
function mixed(n: number): number {
  let x = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
