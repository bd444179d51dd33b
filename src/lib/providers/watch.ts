// How long one exchange may be silent.
import { EXIT, Failure } from '../failure/failure.ts';

/** Seconds. */
export interface Patience {
  /** Until the answer begins. */
  readonly first: number;
  /** Between its bytes. */
  readonly idle: number;
}

/** Nothing came for so long that nothing will. */
export class Silence extends Error {
  readonly failure: Failure;

  constructor(message: string) {
    super(message);
    this.failure = new Failure(EXIT.timeout, message, { hint: 'see --idle-timeout' });
  }
}

/** Ends an exchange that is silent for too long, or that a signal aborts. */
export class Watch {
  readonly #host: string;
  readonly #patience: Patience;
  readonly #signal: AbortSignal;
  readonly #aborted = () => this.#stop(this.#signal.reason);
  #onEnd: (reason: unknown) => void;
  #timer: NodeJS.Timeout;
  #ended = false;
  /** Why it was ended from here. */
  reason: unknown;

  constructor(host: string, patience: Patience, signal: AbortSignal, onEnd: (reason: unknown) => void) {
    this.#host = host;
    this.#patience = patience;
    this.#signal = signal;
    this.#onEnd = onEnd;
    this.#timer = after(patience.first, () => this.#stop(this.#late('not answered', patience.first)));
    signal.addEventListener('abort', this.#aborted, { once: true });
  }

  /** Something happened: the time begins anew. */
  touch(): void {
    if (!this.#ended) this.#timer.refresh();
  }

  /** The answer has begun: from now on it is the time between bytes that counts. */
  listen(onEnd: (reason: unknown) => void): void {
    this.#onEnd = onEnd;
    clearTimeout(this.#timer);
    const { idle } = this.#patience;
    this.#timer = after(idle, () => this.#stop(this.#late('sent nothing', idle)));
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#aborted);
  }

  #late(what: string, seconds: number): Silence {
    return new Silence(`${this.#host} has ${what} for ${seconds} s`);
  }

  #stop(reason: unknown): void {
    if (this.#ended) return;
    this.reason = reason;
    this.end();
    this.#onEnd(reason);
  }
}

/** Timers hold no more than 2^31 - 1 ms; a longer wait is none that ends. */
export const after = (seconds: number, act: () => void): NodeJS.Timeout =>
  setTimeout(act, Math.min(seconds * 1000, 2 ** 31 - 1));
