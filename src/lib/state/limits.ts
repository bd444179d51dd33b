// Rates that all processes keep together, and pauses that a server has asked for.
import type { Store } from './store.ts';

/** What may be spent in a second, on average and at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The share of a second's worth that may go at once: no second sees more than so much above its rate. */
const AT_ONCE = 0.02;

/** Seconds that a request may arrive later than another: what left within a longer time than the server's is in one window of its. */
const LATE = 0.05;

const SECONDS: { readonly [unit: string]: number } = {
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
};

/** `200/s`, `500/min`, `1000/h`, `20000/day`, and a little less, so that the server never sees more; undefined for anything else. */
export function readRate(text: string): Rate | undefined {
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*([a-z]+)\s*$/i.exec(text) ?? [];
  const seconds = Object.hasOwn(SECONDS, unit.toLowerCase()) ? SECONDS[unit.toLowerCase()] : undefined;
  if (amount === undefined || seconds === undefined || Number(amount) === 0) return undefined;
  const perSecond = Number(amount) / (seconds + LATE);
  return { perSecond, burst: Math.max(1, perSecond * AT_ONCE) };
}

/**
 * Takes `cost` out of the rate called `name` and returns the milliseconds until it may be spent; undefined, and nothing taken, where that is longer
 * than `longest`. The generic cell rate algorithm: one number per rate, the time at which all that was taken will have flowed back
 * (https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm). To be called within a transaction; times in milliseconds.
 */
export function take(
  store: Store,
  name: string,
  { perSecond, burst }: Rate,
  { cost, now, longest }: { readonly cost: number; readonly now: number; readonly longest: number },
): number | undefined {
  const before = Number(store.get('select full_at from limits where name = ?', name)?.full_at ?? 0);
  const each = 1000 / perSecond;
  const from = Math.max(before, now);
  // Nothing can be larger than the burst but by waiting for it beforehand.
  const wait = Math.max(0, from + (cost - Math.max(burst, 1)) * each - now);
  if (wait > longest) return undefined;
  store.run('insert or replace into limits (name, full_at) values (?, ?)', name, from + cost * each);
  return wait;
}

/** Gives back what was taken too much, or takes what was taken too little. */
export function correct(store: Store, name: string, { perSecond }: Rate, cost: number): void {
  store.run('update limits set full_at = full_at + ? where name = ?', (cost * 1000) / perSecond, name);
}

/** Nobody asks before `until`. */
export function pause(store: Store, name: string, until: number): void {
  store.run(
    'insert into pauses (name, until) values (?, ?) on conflict (name) do update set until = max(until, excluded.until)',
    name,
    until,
  );
}

/** Milliseconds for which the server wants to be left alone. */
export function pausedFor(store: Store, name: string, now: number): number {
  return Math.max(0, Number(store.get('select until from pauses where name = ?', name)?.until ?? 0) - now);
}
