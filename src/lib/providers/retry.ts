// The one loop that asks again.
import { AttemptFailed } from './errors.ts';

export interface Policy {
  /** Attempts after the first. */
  readonly retries: number;
  /** Seconds: a server that asks to wait longer than --max-wait allows is not asked again. */
  readonly maxWait: number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Called before each pause, in seconds. */
  readonly onWait?: (failed: AttemptFailed, seconds: number) => void;
}

/** Seconds. */
const FIRST = 1;
const LONGEST = 30;

/**
 * Seconds before attempt `nth` (the first retry is 0): anything up to 1 s, 2 s, 4 s … 30 s, so that those who were refused together do not come back
 * together; never sooner than the server allows. https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ ("full jitter")
 */
export function pauseBefore(nth: number, after: number | undefined, random: number): number {
  return Math.max(after ?? 0, random * Math.min(LONGEST, FIRST * 2 ** nth));
}

/** The first attempt that succeeds. `attempt` gets its number, from 0. Throws what the last one threw, with the number of attempts. */
export async function retrying<T>(attempt: (nth: number) => Promise<T>, policy: Policy): Promise<T> {
  for (let nth = 0; ; nth++) {
    try {
      return await attempt(nth);
    } catch (error) {
      if (!(error instanceof AttemptFailed) || !error.retry) throw error;
      if (nth >= policy.retries) throw nth > 0 ? error.with(`gave up after ${nth + 1} attempts`) : error;
      const seconds = pauseBefore(nth, error.after, policy.random());
      if (seconds > policy.maxWait) throw error.with(`it asks to wait ${Math.ceil(seconds)} s, longer than --max-wait`);
      policy.onWait?.(error, seconds);
      await sleep(seconds, policy.signal);
    }
  }
}

/** Throws the signal's reason as soon as it aborts. */
export function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const aborted = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted);
      resolve();
    }, seconds * 1000);
    signal.addEventListener('abort', aborted, { once: true });
  });
}
