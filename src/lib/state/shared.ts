// The shared state as ai-route asks it. The file is opened when the first question comes.
import { existsSync } from 'node:fs';
import { inFlight, sweep } from './flights.ts';
import { dayOf, spentOn } from './ledger.ts';
import { Store } from './store.ts';
import type { SharedState } from './types.ts';

/** What the processes of this machine have told the file; where there is none, or it cannot be read, nothing is known. */
export function sharedState(file: string | undefined, now: () => number): SharedState {
  let opened: Store | undefined | false;
  const store = (): Store | undefined => {
    if (opened === undefined) opened = file !== undefined && existsSync(file) && open(file);
    return opened || undefined;
  };
  return {
    inFlight(provider, model) {
      const found = store();
      if (found === undefined) return 0;
      sweep(found, now());
      return inFlight(found, provider, model);
    },
    headroom: (provider, model) => headroom(store(), `${provider}/${model}`),
    spent: (now) => {
      const found = store();
      return found === undefined ? 0 : spentOn(found, dayOf(now));
    },
    turn: () => turn(store()),
  };
}

function open(file: string): Store | false {
  try {
    return Store.open(file);
  } catch {
    return false;
  }
}

/** The least of the shares that are left of its limits. */
function headroom(store: Store | undefined, name: string): number | undefined {
  const rows = store?.all(
    `select most, remaining from quotas
     where name = ? and most > 0 and remaining is not null and (reset is null or reset > unixepoch('subsec') * 1000)`,
    name,
  );
  if (rows === undefined || rows.length === 0) return undefined;
  return Math.min(...rows.map(({ most, remaining }) => Math.min(1, Number(remaining) / Number(most))));
}

/** Counts the choice that is about to be made. */
function turn(store: Store | undefined): number | undefined {
  return store?.transact(() => {
    store.run("insert into counts (name, value) values ('turn', 1) on conflict (name) do update set value = value + 1");
    return Number(store.get("select value from counts where name = 'turn'")?.value ?? 0) - 1;
  });
}
