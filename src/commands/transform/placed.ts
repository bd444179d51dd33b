// Messages that were mended, back among the records that are none.
import type { Item } from '../../lib/conversion/gather.ts';
import type { Rec } from '../../lib/json/record.ts';

/** What takes the place of some messages: the item that stayed, or where all are new, new ones. */
interface Placed {
  readonly item: Item | undefined;
  /** Where there is no item. `near` is the record of the last that stayed. */
  make(near: Rec | undefined): readonly Item[];
}

/** The pieces in their order, and each of the other items behind those that stood before it and stayed. */
export function placedAmong(items: readonly Item[], others: readonly Item[], pieces: Iterable<Placed>): Item[] {
  const place = new Map(items.map((item, i) => [item, i]));
  const out: Item[] = [];
  let next = 0;
  let near: Rec | undefined;
  for (const { item, make } of pieces) {
    if (item === undefined) {
      for (const one of make(near)) out.push(one);
      continue;
    }
    while (next < others.length && (place.get(others[next] as Item) ?? 0) < (place.get(item) ?? 0))
      out.push(others[next++] as Item);
    out.push(item);
    near = item.rec;
  }
  return [...out, ...others.slice(next)];
}
