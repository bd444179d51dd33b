// The one retry loop.
import { EXIT, Failure } from '../ir/failure.ts';
import { AttemptFailed } from './errors.ts';

export interface RetryOptions {
  /** How many times to try again. */
  readonly retries: number;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Told before each wait: the attempt that failed, and the seconds until the next. */
  readonly onWait: (failed: AttemptFailed, seconds: number) => void;
}

const FIRST = 0.5;
const LONGEST = 60;

/** Tries until it succeeds, fails for good, or has tried enough; then throws the Failure of the last attempt. */
export async function retrying<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AttemptFailed)) throw error;
      if (!error.retry || tried >= options.retries) throw error.failure;
      const seconds = waitBefore(tried, error.after, options.random);
      if (seconds > LONGEST)
        throw new Failure(EXIT.later, `${error.failure.message}; it asks for a pause of ${Math.ceil(seconds)} s`);
      options.onWait(error, seconds);
      await pause(seconds, options.signal);
    }
  }
}

/** Exponential back-off with full jitter, and never less than the server asks for. */
function waitBefore(tried: number, after: number | undefined, random: () => number): number {
  const jittered = random() * Math.min(LONGEST / 2, FIRST * 2 ** tried);
  return after === undefined ? jittered : after + jittered / 2;
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}
