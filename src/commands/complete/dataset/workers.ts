// Parallel work on the lines of a dataset: results in order or as they come, fewer requests in flight while servers are overloaded.

interface Pool {
  /** Lines that are worked on at once. */
  readonly jobs: number;
  readonly ordered: boolean;
  /** How often a server has answered that it is overloaded or that a rate limit is reached. */
  readonly pressure: { readonly refused: number };
}

/** How many finished lines may wait for an earlier one, for each that is worked on. */
const WAITING = 16;

/**
 * The result of `work` for each item, at most `jobs` at once. When servers are overloaded the number is halved; it grows by one with each round
 * that passes without another such answer. An error of `work` ends the run after the finished results.
 */
export async function* inParallel<A, B>(
  items: AsyncIterable<A>,
  work: (item: A) => Promise<B>,
  pool: Pool,
): AsyncGenerator<B> {
  const workers = new Workers(items, work, pool);
  for (;;) {
    workers.start();
    yield* workers.ready();
    if (workers.done) break;
    await workers.change();
  }
  workers.finish();
}

class Workers<A, B> {
  readonly #source: AsyncIterator<A>;
  readonly #work: (item: A) => Promise<B>;
  readonly #pool: Pool;
  readonly #pace: Pace;
  readonly #finished = new Map<number, B>();
  #hand = 0;
  #pulling = false;
  #more = true;
  #next = 0;
  #written = 0;
  #failure: { readonly error: unknown } | undefined;
  #changed = false;
  #wake = () => {};

  constructor(items: AsyncIterable<A>, work: (item: A) => Promise<B>, pool: Pool) {
    this.#source = items[Symbol.asyncIterator]();
    this.#work = work;
    this.#pool = pool;
    this.#pace = new Pace(pool.jobs, pool.pressure);
  }

  get done(): boolean {
    return (
      this.#hand === 0 && this.#finished.size === 0 && (this.#failure !== undefined || !(this.#more || this.#pulling))
    );
  }

  /** Takes the next item, if there is room for it. */
  start(): void {
    const room = this.#hand < this.#pace.width && this.#next - this.#written < this.#pool.jobs * WAITING;
    if (!this.#more || this.#failure || this.#pulling || !room) return;
    this.#pulling = true;
    this.#source.next().then(
      (taken) => {
        this.#pulling = false;
        if (taken.done) this.#more = false;
        else this.#take(taken.value);
        this.#notify();
      },
      (error) => this.#fail(error),
    );
  }

  #take(item: A): void {
    const at = this.#next++;
    this.#hand += 1;
    this.#work(item).then(
      (result) => {
        this.#hand -= 1;
        this.#finished.set(at, result);
        this.#pace.finished();
        this.#notify();
      },
      (error) => {
        this.#hand -= 1;
        this.#fail(error);
      },
    );
  }

  #fail(error: unknown): void {
    this.#pulling = false;
    this.#failure ??= { error };
    this.#notify();
  }

  #notify(): void {
    this.#changed = true;
    this.#wake();
  }

  /** Resolves when something has been finished or taken since the last time. */
  async change(): Promise<void> {
    if (!this.#changed) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#changed = false;
  }

  /** What can be written now. After a failure what was finished out of order follows too. */
  *ready(): Generator<B> {
    if (this.#pool.ordered && !(this.#failure && this.#hand === 0)) {
      for (; this.#finished.has(this.#written); this.#written += 1) yield this.#give(this.#written);
      return;
    }
    for (const at of [...this.#finished.keys()].sort((a, b) => a - b)) {
      this.#written = Math.max(this.#written, at + 1);
      yield this.#give(at);
    }
  }

  #give(at: number): B {
    const result = this.#finished.get(at) as B;
    this.#finished.delete(at);
    return result;
  }

  finish(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** How many at once. */
class Pace {
  readonly #most: number;
  readonly #pressure: Pool['pressure'];
  #seen = 0;
  #since = 0;
  width: number;

  constructor(most: number, pressure: Pool['pressure']) {
    this.#most = most;
    this.#pressure = pressure;
    this.width = most;
  }

  finished(): void {
    if (this.#pressure.refused > this.#seen) {
      // Those that were under way together are refused together: that is one word.
      if (this.#since >= this.width || this.#seen === 0) this.width = Math.max(1, this.width >> 1);
      this.#seen = this.#pressure.refused;
      this.#since = 0;
    } else if (++this.#since >= this.width && this.width < this.#most) {
      this.width += 1;
      this.#since = 0;
    }
  }
}
