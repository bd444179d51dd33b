// The circuit breaker: a server that fails everybody is left alone, and then tried by one.
import type { Store } from './store.ts';

/** Calls that fail one after another, whoever makes them, before nobody asks any more. */
const THRESHOLD = 5;

/** Milliseconds: the first time, and at most. Doubled with each attempt that fails. */
const FIRST = 10_000;
const LONGEST = 60_000;

/** Failures that lie further apart have nothing to do with each other. */
const TOGETHER = 300_000;

/** For so long nobody else tries while one does. */
const PROBE = 30_000;

export interface Open {
  /** Milliseconds until it may be tried again. */
  readonly wait: number;
  /** What the last failure was. */
  readonly kind: string;
}

/** Whether the server is left alone. The first to ask afterwards is let through, and the others wait for what becomes of it. */
export function openFor(store: Store, name: string, now: number): Open | undefined {
  const row = store.get('select failures, kind, until from breakers where name = ?', name);
  if (row === undefined || Number(row.failures) < THRESHOLD) return undefined;
  const wait = Number(row.until) - now;
  if (wait > 0) return { wait, kind: String(row.kind) };
  store.run('update breakers set until = ? where name = ?', now + PROBE, name);
  return undefined;
}

export function failed(store: Store, name: string, kind: string, now: number): void {
  const row = store.get('select failures, at from breakers where name = ?', name);
  const failures = row !== undefined && now - Number(row.at) < TOGETHER ? Number(row.failures) + 1 : 1;
  const until = failures < THRESHOLD ? 0 : now + Math.min(LONGEST, FIRST * 2 ** (failures - THRESHOLD));
  store.run(
    'insert or replace into breakers (name, failures, kind, at, until) values (?, ?, ?, ?, ?)',
    name,
    failures,
    kind,
    now,
    until,
  );
}

export function succeeded(store: Store, name: string): void {
  if (store.get('select 1 as one from breakers where name = ?', name))
    store.run('delete from breakers where name = ?', name);
}
