// The progress of a dataset: one line on a terminal's standard error, redrawn in place.
import type { Context } from '../../../lib/cli/filter.ts';

/** Milliseconds between two drawings. */
const INTERVAL = 100;

export class Progress {
  readonly #context: Pick<Context, 'now' | 'show'>;
  readonly #begun: number;
  #drawn = 0;
  #read = 0;
  #ended = false;
  #done = 0;
  #failed = 0;
  #usd = 0;
  #unpriced = 0;

  constructor(context: Pick<Context, 'now' | 'show'>) {
    this.#context = context;
    this.#begun = context.now();
  }

  read(): void {
    this.#read += 1;
  }

  /** All lines are read: from now on the remaining time can be estimated. */
  allRead(): void {
    this.#ended = true;
  }

  done(usd: number | undefined): void {
    this.#done += 1;
    if (usd === undefined) this.#unpriced += 1;
    else this.#usd += usd;
    this.#draw();
  }

  failed(): void {
    this.#done += 1;
    this.#failed += 1;
    this.#draw();
  }

  end(): void {
    if (this.#drawn === 0) return;
    this.#context.show(`\r\x1b[K${this.#text()}\n`);
  }

  #draw(): void {
    const now = this.#context.now();
    if (now - this.#drawn < INTERVAL) return;
    this.#drawn = now;
    this.#context.show(`\r\x1b[K${this.#text()}`);
  }

  #text(): string {
    const seconds = Math.max(0.001, (this.#context.now() - this.#begun) / 1000);
    const rate = this.#done / seconds;
    const left = this.#ended && rate > 0 ? `, ${duration((this.#read - this.#done) / rate)} left` : '';
    const known = this.#usd > 0 ? `, $${this.#usd.toFixed(4)}` : '';
    const cost = this.#unpriced > 0 ? `${known}, the cost of ${this.#unpriced} unknown` : known;
    const total = this.#ended ? String(this.#read) : `${this.#read}+`;
    return `${this.#done} of ${total} answered, ${rate.toFixed(1)}/s, ${this.#failed} failed${cost}${left}`;
  }
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return whole < 3600 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${(whole / 3600).toFixed(1)} h`;
}
