// Which record of a log `--select` means.
import { badInput } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';

/** A record that can be selected, and the names it has. */
interface Selectable {
  readonly rec: Rec;
  readonly ids: readonly (string | undefined)[];
}

const SHORTEST = 4;

/**
 * The index of the record that `select` names: by its whole id, as FILE:LINE, or by the beginning of an id that no other record shares.
 * -1 if there is none; throws a Failure (65) if the beginning fits several records.
 */
export function findSelected(select: string, records: readonly Selectable[]): number {
  const exact = records.findLastIndex(({ rec, ids }) => ids.includes(select) || `${rec.file}:${rec.line}` === select);
  if (exact >= 0 || select.length < SHORTEST) return exact;
  const begun = new Set<string>();
  let found = -1;
  records.forEach(({ ids }, i) => {
    const id = ids.find((each) => each?.startsWith(select));
    if (id === undefined) return;
    begun.add(id);
    found = i;
  });
  if (begun.size > 1)
    throw badInput(
      records[found]?.rec,
      `cannot select "${select}": ${begun.size} ids begin with it`,
      'write more of the id',
    );
  return found;
}
