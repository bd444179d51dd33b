// What an answer that is no reply means: which failure it is, and whether to try again.
import { EXIT, Failure } from '../ir/failure.ts';
import { isObject } from '../ir/json.ts';

/** An attempt failed. `retry` says whether another may succeed, `after` how many seconds the server wants to be left alone. */
export class AttemptFailed extends Error {
  readonly failure: Failure;
  readonly retry: boolean;
  readonly after: number | undefined;

  constructor(failure: Failure, retry: boolean, after?: number) {
    super(failure.message);
    this.failure = failure;
    this.retry = retry;
    this.after = after;
  }
}

/** Spent quotas and bills come as "too many requests" too: no waiting helps. */
const SPENT = /insufficient_quota|credit_balance|spend_limit|usage_limit|billing|usage limits/i;

export interface Refusal {
  readonly provider: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Facts: https://platform.claude.com/docs/en/api/errors, https://platform.openai.com/docs/guides/error-codes */
export function refused({ provider, status, headers, body }: Refusal): AttemptFailed {
  const said = messageIn(body);
  const message = `cannot complete: ${provider} answered ${status}${said ? `: ${said}` : ''}`;
  if (status === 401 || status === 403) return new AttemptFailed(new Failure(EXIT.notPermitted, message), false);
  if (SPENT.test(body) || status === 402) return new AttemptFailed(new Failure(EXIT.notPermitted, message), false);
  if (status === 408 || status === 409 || status === 429 || status === 529)
    return new AttemptFailed(new Failure(EXIT.later, message), true, retryAfter(headers));
  if (status >= 500) return new AttemptFailed(new Failure(EXIT.unavailable, message), true, retryAfter(headers));
  return new AttemptFailed(new Failure(EXIT.badInput, message), false);
}

/** The provider's own words, one line, without control characters. */
export function messageIn(body: string): string {
  const text = said(body);
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 500);
}

function said(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = isObject(parsed) ? (isObject(parsed.error) ? parsed.error : parsed) : {};
    return typeof error.message === 'string'
      ? error.message
      : isObject(parsed) && typeof parsed.error === 'string'
        ? parsed.error
        : '';
  } catch {
    return '';
  }
}

function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = Number(headers['retry-after-ms']);
  if (milliseconds >= 0) return milliseconds / 1000;
  const seconds = Number(headers['retry-after']);
  return seconds >= 0 ? seconds : undefined;
}
