// What parallel processes share, as one call sees it: it is let in, tells how it went, and lands.

import type { Usage } from '../conversation/types.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { failed, type Open, openFor, succeeded } from './breaker.ts';
import { depart, land, sweep, underWay } from './flights.ts';
import { dayOf, enter, spentFor, spentOn } from './ledger.ts';
import { correct, pause, pausedFor, type Rate, take } from './limits.ts';
import { Store } from './store.ts';

export interface Rates {
  readonly requests?: Rate;
  readonly tokens?: Rate;
}

/** USD. */
export interface Budgets {
  readonly day?: number;
  readonly project?: number;
}

export interface Wish {
  /** The server and model that share breaker, limits and pauses. */
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly project: string;
  readonly rates: Rates;
  /** Tokens and USD that the call may take, as far as one can know. */
  readonly tokens: number;
  readonly usd: number;
  readonly budgets: Budgets;
  /** Milliseconds that the call may wait for its turn. */
  readonly longest: number;
  /** Milliseconds after which the call is over in any case. */
  readonly lasts: number;
}

export type Admission =
  | { readonly let: 'in'; readonly flight: number; readonly wait: number }
  | { readonly let: 'not'; readonly why: 'broken'; readonly open: Open }
  | { readonly let: 'not'; readonly why: 'limited'; readonly of: keyof Rates | 'pause' }
  | { readonly let: 'not'; readonly why: 'spent'; readonly of: keyof Budgets; readonly spent: number };

/** One limit of an account as the server counts it; `reset` in seconds. */
interface Quota {
  readonly of: string;
  readonly limit?: number;
  readonly remaining?: number;
  readonly reset?: number;
}

export class State {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #file: string;

  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#store = Store.open(file);
    this.#now = now;
  }

  /**
   * Does `work`, which asks and tells the state, in one transaction with what the other calls of this process want at the same time. Throws a
   * Failure (74) where the file cannot be written.
   */
  async together<T>(work: () => T): Promise<T> {
    try {
      return await this.#store.together(work);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure(EXIT.io, `cannot write the shared state: ${why}`, {
        place: this.#file,
        hint: 'to run without it, set AI_STATE=off',
      });
    }
  }

  /** Breaker, budgets, pauses and rates at once, so that no two processes take the same. */
  admit(wish: Wish): Admission {
    const store = this.#store;
    return store.transact((): Admission => {
      const now = this.#now();
      const spent = this.#overspent(wish, now);
      if (spent) return { let: 'not', why: 'spent', ...spent };
      const open = openFor(store, wish.name, now);
      if (open) return { let: 'not', why: 'broken', open };
      const paused = pausedFor(store, wish.name, now);
      if (paused > wish.longest) return { let: 'not', why: 'limited', of: 'pause' };
      const waits = [paused];
      for (const what of ['requests', 'tokens'] as const) {
        const rate = wish.rates[what];
        if (rate === undefined) continue;
        const cost = what === 'requests' ? 1 : wish.tokens;
        const wait = take(store, `${wish.name} ${what}`, rate, { cost, now: now + paused, longest: wish.longest });
        if (wait === undefined) return { let: 'not', why: 'limited', of: what };
        waits.push(paused + wait);
      }
      return { let: 'in', flight: depart(store, wish, now + wish.lasts), wait: Math.max(...waits) };
    });
  }

  /**
   * Whether a call whose turn has come may be sent now; else milliseconds after which to ask again. A machine that is busy wakes those who wait
   * late and together: their turns alone would not keep the rate.
   */
  mayGo({ name, rates }: Wish): number {
    const { requests } = rates;
    if (requests === undefined) return 0;
    const now = this.#now();
    const wait = this.#store.transact(() => take(this.#store, `${name} sent`, requests, { cost: 1, now, longest: 0 }));
    return wait === undefined ? 1000 / requests.perSecond : 0;
  }

  #overspent({ budgets, project, usd }: Wish, now: number): { of: keyof Budgets; spent: number } | undefined {
    if (budgets.day === undefined && budgets.project === undefined) return undefined;
    sweep(this.#store, now);
    const day = spentOn(this.#store, dayOf(now));
    if (budgets.day !== undefined && day + underWay(this.#store) + usd > budgets.day) return { of: 'day', spent: day };
    const all = budgets.project === undefined ? 0 : spentFor(this.#store, project);
    if (budgets.project !== undefined && all + underWay(this.#store, project) + usd > budgets.project)
      return { of: 'project', spent: all };
    return undefined;
  }

  /** The call has been answered: it is entered into the ledger before anybody sees the answer. Returns what has been spent with it. */
  answered(wish: Wish, flight: number, answer: { readonly usage: Usage; readonly usd: number | undefined }): Spent {
    const store = this.#store;
    return store.transact(() => {
      const now = this.#now();
      land(store, flight);
      succeeded(store, wish.name);
      const { input = 0, cacheWrite = 0, output = 0 } = answer.usage;
      if (wish.rates.tokens)
        correct(store, `${wish.name} tokens`, wish.rates.tokens, input + cacheWrite + output - wish.tokens);
      enter(store, { ...wish, ...answer }, now);
      return this.#spent(wish, now);
    });
  }

  #spent({ budgets, project }: Wish, now: number): Spent {
    return {
      ...(budgets.day !== undefined && { day: spentOn(this.#store, dayOf(now)) }),
      ...(budgets.project !== undefined && { project: spentFor(this.#store, project) }),
    };
  }

  /** An attempt ended otherwise. */
  failed(flight: number): void {
    this.#store.transact(() => land(this.#store, flight));
  }

  /** A call has failed with all its attempts, and it was the server: `kind` says how. */
  broke(name: string, kind: string): void {
    this.#store.transact(() => failed(this.#store, name, kind, this.#now()));
  }

  /** An answer that took no call: out of the cache, at no cost; or out of a batch, at its own. */
  enter(
    wish: Pick<Wish, 'provider' | 'model' | 'project'>,
    usage: Usage,
    usd: number | undefined,
    cached = false,
  ): void {
    enter(this.#store, { ...wish, usage, usd, cached }, this.#now());
  }

  /** The server wants to be left alone for so many seconds. */
  pause(name: string, seconds: number): void {
    pause(this.#store, name, this.#now() + seconds * 1000);
  }

  /** What the server tells of its limits. */
  told(name: string, quotas: readonly Quota[]): void {
    if (quotas.length === 0) return;
    const now = this.#now();
    this.#store.transact(() => {
      for (const { of, limit, remaining, reset } of quotas)
        this.#store.run(
          'insert or replace into quotas (name, of, most, remaining, reset) values (?, ?, ?, ?, ?)',
          name,
          of,
          limit ?? null,
          remaining ?? null,
          reset === undefined ? null : now + reset * 1000,
        );
    });
  }

  /** Whether this is the first time that anybody says `name`. */
  first(name: string): boolean {
    return this.#store.transact(() => {
      if (this.#store.get('select 1 as one from alerts where name = ?', name)) return false;
      this.#store.run('insert into alerts (name) values (?)', name);
      return true;
    });
  }

  get store(): Store {
    return this.#store;
  }
}

/** USD spent today and by the project, where there are budgets for them. */
export interface Spent {
  readonly day?: number;
  readonly project?: number;
}
