// Which call runs when: those that change nothing beside each other, every other alone, and their results in the order of the calls.

import type { CallRecord } from '../../lib/conversation/loop-records.ts';
import type { Result } from '../../lib/dialects/codec/tool-results.ts';
import type { Rec } from '../../lib/json/record.ts';
import type { Plan } from './run-call.ts';

/** What a record of the input is to the schedule. */
export type Entry =
  | { readonly kind: 'record'; readonly rec: Rec }
  | { readonly kind: 'call'; readonly call: CallRecord; readonly plan: Plan };

type Event =
  | { readonly type: 'pass'; readonly rec: Rec }
  /** The call is about to start: whoever hears of it writes that down before asking for the next event. */
  | { readonly type: 'start'; readonly call: CallRecord }
  | { readonly type: 'result'; readonly call: CallRecord; readonly result: Result };

interface ScheduleOptions {
  /** Calls that run at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** How long the input is still read after the program was told to stop, in ms. */
  readonly patience: number;
  /** The result of a call that will not be started any more. */
  readonly stopped: (call: CallRecord) => Result;
}

/** Finished calls that may wait for one before them, for each that runs. */
const AHEAD = 4;

interface Slot {
  readonly entry: Entry;
  begun: boolean;
  result?: Result;
}

/** Reads entries as they are needed and gives what happens, in order. An error of the input is thrown once the calls before it are done. */
export async function* schedule(entries: AsyncIterator<Entry>, options: ScheduleOptions): AsyncGenerator<Event> {
  const queue = new Queue(entries, options);
  try {
    for (;;) {
      const head = queue.head;
      const entry = head?.entry;
      if (head === undefined && queue.ended) break;
      if (entry?.kind === 'record') {
        queue.shift();
        yield { type: 'pass', rec: entry.rec };
      } else if (entry && head?.result !== undefined) {
        queue.shift();
        yield { type: 'result', call: entry.call, result: head.result };
      } else {
        const next = queue.next();
        if (next?.entry.kind === 'call' && next.entry.plan.ahead && !options.signal.aborted)
          yield { type: 'start', call: next.entry.call };
        if (next) queue.begin(next);
        else {
          queue.read();
          await queue.change();
        }
      }
    }
    queue.throwIfBad();
  } finally {
    queue.stop();
  }
}

class Queue {
  readonly #entries: AsyncIterator<Entry>;
  readonly #options: ScheduleOptions;
  readonly #slots: Slot[] = [];
  #running = 0;
  #reading = false;
  #error: unknown;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => {};
  ended = false;

  constructor(entries: AsyncIterator<Entry>, options: ScheduleOptions) {
    this.#entries = entries;
    this.#options = options;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get head(): Slot | undefined {
    return this.#slots[0];
  }

  shift(): void {
    this.#slots.shift();
  }

  /** The next call that may start: beside others only if it and all before it may, else alone and first. */
  next(): Slot | undefined {
    for (const [i, slot] of this.#slots.entries()) {
      if (slot.entry.kind === 'record') continue;
      const { parallel } = slot.entry.plan;
      if (!slot.begun && (parallel ? this.#running < this.#options.jobs : i === 0)) return slot;
      if (!parallel) return undefined;
    }
    return undefined;
  }

  begin(slot: Slot): void {
    const { entry } = slot;
    if (slot.begun || entry.kind === 'record') return;
    slot.begun = true;
    this.#running += 1;
    const done = (result: Result) => {
      this.#running -= 1;
      slot.result = result;
      this.#wake();
    };
    if (this.#options.signal.aborted) done(this.#options.stopped(entry.call));
    else entry.plan.run().then(done, (error) => this.#fail(error));
  }

  /** Resolves at the next thing that happens: a result, a record, the end. */
  change(): Promise<void> {
    const head = this.#slots[0];
    if (head !== undefined && (head.result !== undefined || head.entry.kind === 'record')) return Promise.resolve();
    if (head === undefined && this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Reads one entry on, if there is room and nothing that must be done first. */
  read(): void {
    const room = this.#slots.length < this.#options.jobs * AHEAD;
    const alone = this.#slots.some(({ entry }) => entry.kind === 'call' && !entry.plan.parallel);
    if (!room || alone || this.#reading || this.ended) return;
    this.#reading = true;
    this.#entries.next().then(
      ({ done, value }) => {
        this.#reading = false;
        if (done) this.ended = true;
        else if (!this.ended) this.#slots.push({ entry: value, begun: false });
        this.#wake();
      },
      (error) => this.#fail(error),
    );
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.ended = true;
    this.#wake();
  }

  /** What was read so far is answered; the rest is waited for a little. */
  readonly #onAbort = () => {
    const end = () => {
      this.ended = true;
      this.#wake();
    };
    this.#timer = setTimeout(end, this.#options.patience);
    this.#wake();
  };

  throwIfBad(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }
}
