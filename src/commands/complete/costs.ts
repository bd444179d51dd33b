// --costs: what was spent, from this machine's ledger.
import { existsSync } from 'node:fs';
import type { Context } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { GROUPS, type Group, sums } from '../../lib/state/ledger.ts';
import { stateFile } from '../../lib/state/place.ts';
import { Store } from '../../lib/state/store.ts';

/** One record for each day, model and project, or for some of these. `unpriced` counts answers whose price is not known. */
export function readCosts(by: string, { env }: Context): JsonObject[] {
  const groups = by === '' ? [...GROUPS] : by.split(',').map((word) => word.trim());
  const wrong = groups.find((group) => !GROUPS.includes(group as Group));
  if (wrong !== undefined)
    throw new Failure(
      EXIT.usage,
      `option --costs cannot be "${wrong}": use ${GROUPS.join(', ')}, or several of them separated by commas`,
    );
  const file = stateFile(env);
  if (file === undefined || !existsSync(file)) return [];
  let store: Store;
  try {
    store = Store.open(file);
  } catch (error) {
    throw new Failure(EXIT.io, `cannot open the shared state: ${error instanceof Error ? error.message : error}`, {
      place: file,
    });
  }
  return sums(store, groups as Group[]).map((row) => ({
    type: 'cost',
    ...Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null || name === 'usd')),
    ...(row.usd !== null && { usd: Number(Number(row.usd).toPrecision(12)) }),
  }));
}
