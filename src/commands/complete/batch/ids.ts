// What each line is called in a batch.
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { isObject } from '../../../lib/json/values.ts';

/** What both vendors take. */
const GOOD = /^[a-zA-Z0-9_-]{1,64}$/;

/** A line's own id if it can be one, and is the only one of its name; else `line-N` by its place. The same lines get the same ids. */
export function idsOf(lines: readonly Conversation[]): string[] {
  const own = lines.map(({ rolled }) => {
    const value = isObject(rolled?.value) ? rolled.value : {};
    const id = value.custom_id ?? value.id;
    return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  });
  const counts = new Map<string, number>();
  for (const id of own) counts.set(id, (counts.get(id) ?? 0) + 1);
  return own.map((id, at) => (GOOD.test(id) && counts.get(id) === 1 && !/^line-\d+$/.test(id) ? id : `line-${at + 1}`));
}
