// What was spent: one row per answer.
import type { Usage } from '../conversation/types.ts';
import type { Row, Store } from './store.ts';

interface Entry {
  readonly provider: string;
  readonly model: string;
  readonly project: string;
  readonly usage: Usage;
  /** Undefined where the price is not known. */
  readonly usd: number | undefined;
  /** The answer came out of the cache. */
  readonly cached?: boolean;
}

/** The day (UTC) of a time in milliseconds since 1970. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

export function enter(store: Store, entry: Entry, now: number): void {
  const { provider, model, project, usage, usd, cached } = entry;
  store.run(
    `insert into ledger (at, day, provider, model, project, input, cache_read, cache_write, output, reasoning, usd, cached)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    now,
    dayOf(now),
    provider,
    model,
    project,
    usage.input ?? null,
    usage.cacheRead ?? null,
    usage.cacheWrite ?? null,
    usage.output ?? null,
    usage.reasoning ?? null,
    usd ?? null,
    cached ? 1 : 0,
  );
}

/** USD spent on a day (UTC). */
export const spentOn = (store: Store, day: string): number =>
  Number(store.get('select coalesce(sum(usd), 0) as usd from ledger where day = ?', day)?.usd ?? 0);

/** USD that a project has spent. */
export const spentFor = (store: Store, project: string): number =>
  Number(store.get('select coalesce(sum(usd), 0) as usd from ledger where project = ?', project)?.usd ?? 0);

export const GROUPS = ['day', 'model', 'project'] as const;
export type Group = (typeof GROUPS)[number];

/** Sums by the columns of `by`. `unpriced` counts the answers whose price is not known: they are not in `usd`. */
export function sums(store: Store, by: readonly Group[]): Row[] {
  const columns = by.flatMap((group) => (group === 'model' ? ['provider', 'model'] : [group])).join(', ');
  return store.all(
    `select ${columns}, count(*) as answers, sum(cached) as cached, sum(input) as input_tokens, sum(cache_read) as cache_read_tokens,
       sum(cache_write) as cache_write_tokens, sum(output) as output_tokens, sum(reasoning) as reasoning_tokens, sum(usd) as usd,
       sum(usd is null) as unpriced
     from ledger group by ${columns} order by ${columns}`,
  );
}
