// Calls that have been sent and not been answered yet, of every process. What a process that was killed has left behind does not count.
import { isThere, self } from './process.ts';
import type { Store } from './store.ts';

interface Flight {
  readonly provider: string;
  readonly model: string;
  readonly project: string;
  /** USD that it may cost at most, as far as one can know. */
  readonly usd: number;
}

/** `until`, in milliseconds since 1970, is when the call will have ended in any case. */
export function depart(store: Store, { provider, model, project, usd }: Flight, until: number): number {
  const { pid, born } = self();
  return store.insert(
    'insert into flights (provider, model, project, pid, born, until, usd) values (?, ?, ?, ?, ?, ?, ?)',
    provider,
    model,
    project,
    pid,
    born,
    until,
    usd,
  );
}

export const land = (store: Store, id: number): void => store.run('delete from flights where id = ?', id);

/** Forgets the calls of processes that are no more, and those that are over by now whatever became of them. */
export function sweep(store: Store, now: number): void {
  for (const { pid, born } of store.all('select distinct pid, born from flights'))
    if (!isThere(Number(pid), String(born)))
      store.run('delete from flights where pid = ? and born = ?', pid ?? 0, born ?? '');
  store.run('delete from flights where until < ?', now);
}

export const inFlight = (store: Store, provider: string, model: string): number =>
  Number(store.get('select count(*) as n from flights where provider = ? and model = ?', provider, model)?.n ?? 0);

/** USD that calls under way may cost: all of them, or those of a project. */
export const underWay = (store: Store, project?: string): number =>
  Number(
    (project === undefined
      ? store.get('select coalesce(sum(usd), 0) as usd from flights')
      : store.get('select coalesce(sum(usd), 0) as usd from flights where project = ?', project)
    )?.usd ?? 0,
  );
