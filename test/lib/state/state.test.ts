// The state that processes share: many of them at once, and some killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { depart, inFlight, sweep } from '../../../src/lib/state/flights.ts';
import { sums } from '../../../src/lib/state/ledger.ts';
import { readRate, take } from '../../../src/lib/state/limits.ts';
import { isThere } from '../../../src/lib/state/process.ts';
import { State, type Wish } from '../../../src/lib/state/state.ts';
import { Store } from '../../../src/lib/state/store.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
const fresh = () => join(mkdtempSync(join(tmpdir(), 'state-')), 'state.db');

const WISH: Wish = {
  name: 'p/m',
  provider: 'p',
  model: 'm',
  project: 'x',
  rates: {},
  tokens: 100,
  usd: 0.4,
  budgets: {},
  longest: 1000,
  lasts: 60_000,
};

interface Worker {
  readonly child: ChildProcess;
  /** How many calls it says to have entered. */
  readonly said: () => number;
  readonly ended: Promise<number | null>;
}

/** It says so in a file, since what is in a pipe or before it is lost with the process. */
function worker(file: string, calls: number, rate = ''): Worker {
  const told = join(mkdtempSync(join(tmpdir(), 'told-')), 'told');
  writeFileSync(told, '');
  const child = spawn(process.execPath, [WORKER, file, String(calls), rate, told], { stdio: 'inherit' });
  return { child, said: () => statSync(told).size, ended: new Promise((done) => child.on('close', done)) };
}

describe('sixteen processes', () => {
  test('enter all that they did', async () => {
    const file = fresh();
    const workers = Array.from({ length: 16 }, () => worker(file, 100));
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual(Array(16).fill(0));
    expect(sums(Store.open(file), ['model'])).toMatchObject([{ answers: 1600, input_tokens: 1600 }]);
  }, 60_000);

  test('lose nothing of what was said to be entered when half of them are killed', async () => {
    const file = fresh();
    const workers = Array.from({ length: 16 }, () => worker(file, 5000));
    while (workers.some(({ said, child }) => said() < 20 && child.exitCode === null))
      await new Promise((next) => setTimeout(next, 20));
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    const acknowledged = workers.reduce((sum, { said }) => sum + said(), 0);
    const store = Store.open(file);
    const [row] = sums(store, ['model']);
    expect(Number(row?.answers)).toBeGreaterThanOrEqual(acknowledged);
    // One that was killed may have entered an answer, and said nothing of it any more.
    expect(Number(row?.answers)).toBeLessThanOrEqual(acknowledged + 16);
    sweep(store, Date.now());
    expect(inFlight(store, 'p', 'm')).toBe(0);
  }, 60_000);

  test('keep a rate together: no second sees 5 % more', async () => {
    const file = fresh();
    const workers = Array.from({ length: 16 }, () => worker(file, 60, '200/s'));
    await Promise.all(workers.map(({ ended }) => ended));
    const store = Store.open(file);
    const times = store
      .all('select at from ledger order by at')
      .map(({ at }) => Number(at))
      .sort((a, b) => a - b);
    expect(times).toHaveLength(960);
    expect(most(times)).toBeLessThanOrEqual(210);
    expect(times.length / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000)).toBeLessThan(205);
  }, 60_000);
});

/** In any second, wherever it begins. */
function most(times: readonly number[]): number {
  let from = 0;
  return times.reduce((found, at, i) => {
    while (at - (times[from] as number) >= 1000) from++;
    return Math.max(found, i - from + 1);
  }, 0);
}

describe('a call under way', () => {
  const flight = { provider: 'p', model: 'm', project: 'x', usd: 1 };

  test('counts while its process runs', () => {
    const store = Store.open(fresh());
    depart(store, flight, 2000);
    sweep(store, 1000);
    expect(inFlight(store, 'p', 'm')).toBe(1);
  });

  test('does not count when another process has the number of its own', () => {
    const store = Store.open(fresh());
    depart(store, flight, 2000);
    store.run("update flights set born = '1' || born");
    sweep(store, 1000);
    expect(inFlight(store, 'p', 'm')).toBe(0);
  });

  test('does not count when it must be over', () => {
    const store = Store.open(fresh());
    depart(store, flight, 2000);
    sweep(store, 2001);
    expect(inFlight(store, 'p', 'm')).toBe(0);
  });

  test('of a process that has ended and of which nobody has taken notice does not count', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 5'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = Number(await new Promise((said) => parent.stdout.once('data', said)));
    await new Promise((next) => setTimeout(next, 500));
    expect(isThere(pid, '')).toBe(false);
    parent.kill();
  });
});

describe('work done together', () => {
  test('is one transaction, and each gets its own result', async () => {
    const store = Store.open(fresh());
    const said = await Promise.all([1, 2, 3].map((n) => store.together(() => n * 2)));
    expect(said).toEqual([2, 4, 6]);
    const add = (name: string) => store.together(() => store.run('insert into alerts (name) values (?)', name));
    await Promise.all([add('a'), add('b')]);
    const both = await Promise.allSettled([add('c'), add('a')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(store.all('select name from alerts').map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('keeps what a file of the version before holds', () => {
    const file = fresh();
    const old = Store.open(file);
    old.run("insert into alerts (name) values ('kept')");
    old.run('drop table flights');
    old.run('create table flights (id integer primary key, pid integer)');
    old.run('pragma user_version = 1');
    old.close();
    const store = Store.open(file);
    depart(store, { provider: 'p', model: 'm', project: 'x', usd: 1 }, 1);
    expect(store.get('select name from alerts')).toEqual({ name: 'kept' });
  });
});

describe('a rate', () => {
  test.each([
    ['200/s', 200],
    ['600/min', 10],
    ['3600/h', 1],
  ])('%s is %d a second, or up to 5 %% less', (text, perSecond) => {
    expect(readRate(text)?.perSecond).toBeLessThanOrEqual(perSecond);
    expect(readRate(text)?.perSecond).toBeGreaterThan(perSecond * 0.95);
  });

  test.each(['', '200', '0/s', 'x/s', '5/fortnight', '-1/s'])('"%s" is none', (text) =>
    expect(readRate(text)).toBeUndefined(),
  );

  test('lets in what it says and no more, whatever window one looks through', () => {
    const store = Store.open(fresh());
    const rate = { perSecond: 200, burst: 4 };
    let now = 0;
    const turns: number[] = [];
    for (let n = 0; n < 1000; n++) {
      now += (n * 7919) % 5;
      turns.push(now + (take(store, 'r', rate, { cost: 1, now, longest: 1e9 }) ?? 0));
    }
    for (const from of turns)
      expect(turns.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(206);
  });

  test('takes nothing where the turn would come too late', () => {
    const store = Store.open(fresh());
    const rate = { perSecond: 1, burst: 1 };
    expect(take(store, 'r', rate, { cost: 1, now: 0, longest: 0 })).toBe(0);
    expect(take(store, 'r', rate, { cost: 1, now: 0, longest: 500 })).toBeUndefined();
    expect(take(store, 'r', rate, { cost: 1, now: 1000, longest: 0 })).toBe(0);
  });
});

describe('the breaker', () => {
  test('opens after five failures, lets one try, and closes when that one succeeds', () => {
    let now = 1e9;
    const state = new State(fresh(), () => now);
    const fly = () => state.admit(WISH);
    for (let n = 0; n < 5; n++) {
      const one = fly();
      expect(one.let).toBe('in');
      if (one.let === 'in') state.failed(one.flight);
      state.broke('p/m', 'busy');
    }
    expect(fly()).toMatchObject({ let: 'not', why: 'broken', open: { kind: 'busy' } });
    now += 10_001;
    const probe = fly();
    expect(probe.let).toBe('in');
    expect(fly().let).toBe('not');
    if (probe.let === 'in') state.answered(WISH, probe.flight, { usage: {}, usd: 0 });
    expect(fly().let).toBe('in');
  });

  test('does not count what is not the server', () => {
    const state = new State(fresh(), () => 1e9);
    for (let n = 0; n < 9; n++) {
      const one = state.admit(WISH);
      if (one.let === 'in') state.failed(one.flight);
    }
    expect(state.admit(WISH).let).toBe('in');
  });
});

describe('budgets', () => {
  test('count what is under way, so that those who ask together do not spend together what one may', () => {
    const state = new State(fresh(), () => 1e9);
    const wish = { ...WISH, budgets: { day: 1 } };
    const first = state.admit(wish);
    const second = state.admit(wish);
    expect([first.let, second.let]).toEqual(['in', 'in']);
    expect(state.admit(wish)).toMatchObject({ let: 'not', why: 'spent', of: 'day' });
    if (first.let === 'in') state.answered(wish, first.flight, { usage: {}, usd: 0.01 });
    expect(state.admit(wish).let).toBe('in');
  });

  test('of a project are no other project’s', () => {
    const state = new State(fresh(), () => 1e9);
    const wish = { ...WISH, budgets: { project: 0.5 } };
    expect(state.admit(wish).let).toBe('in');
    expect(state.admit(wish)).toMatchObject({ let: 'not', of: 'project' });
    expect(state.admit({ ...wish, project: 'y' }).let).toBe('in');
  });
});

test('a pause that a server asks for is everybody’s', () => {
  let now = 1e9;
  const state = new State(fresh(), () => now);
  state.pause('p/m', 2);
  expect(state.admit(WISH)).toMatchObject({ let: 'not', why: 'limited', of: 'pause' });
  expect(state.admit({ ...WISH, longest: 5000 })).toMatchObject({ let: 'in', wait: 2000 });
  now += 2001;
  expect(state.admit(WISH)).toMatchObject({ let: 'in', wait: 0 });
});
