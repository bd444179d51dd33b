// Calls that have been sent and not been answered yet, of every process. What a process that was killed has left behind does not count.
import type { Store } from './store.ts';

export interface Flight {
  readonly provider: string;
  readonly model: string;
  readonly project: string;
  /** USD that it may cost at most, as far as one can know. */
  readonly usd: number;
}

export function depart(store: Store, { provider, model, project, usd }: Flight, now: number): number {
  return store.insert(
    'insert into flights (provider, model, project, pid, started, usd) values (?, ?, ?, ?, ?, ?)',
    provider,
    model,
    project,
    process.pid,
    now,
    usd,
  );
}

export const land = (store: Store, id: number): void => store.run('delete from flights where id = ?', id);

/** Forgets the calls of processes that are no more. */
export function sweep(store: Store): void {
  for (const { pid } of store.all('select distinct pid from flights'))
    if (!isAlive(Number(pid))) store.run('delete from flights where pid = ?', pid ?? 0);
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
