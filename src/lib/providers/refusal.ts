// What an answer that is no reply means. Decided by what it says, then by its status.
// https://platform.claude.com/docs/en/api/errors, https://platform.openai.com/docs/guides/error-codes,
// https://ai.google.dev/gemini-api/docs/troubleshooting, https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
import { isObject, type JsonObject } from '../json/values.ts';
import { AttemptFailed, type Kind } from './errors.ts';
import { overflowIn } from './overflow.ts';
import { errorIn, type Headers, pauseIn } from './pause.ts';

export interface Refusal {
  readonly provider: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Takes secrets out of the server's words. */
  readonly mask: (text: string) => string;
}

export function refused({ provider, status, headers, body, now, mask }: Refusal): AttemptFailed {
  const error = errorIn(body);
  const words = wordsOf(error, headers);
  const kind = kindOf(status, words, error, body);
  const said = mask(messageIn(error, body));
  const elsewhere =
    status >= 300 && status < 400
      ? ' and redirects to another address, which is not followed because the key must not be sent there'
      : '';
  const answered = status === IN_A_GOOD_ANSWER ? 'sent an error' : `answered ${status}${elsewhere}`;
  const retry = headers['x-should-retry'];
  return new AttemptFailed(kind, `cannot complete: ${provider} ${answered}${said ? `: ${said}` : ''}`, {
    after: pauseIn(headers, body, now),
    answered: status,
    ...((retry === 'true' || retry === 'false') && { retry: retry === 'true' }),
    ...(HINTS[kind] !== undefined && { hint: HINTS[kind] }),
  });
}

/** Stands for the status of an error that came with status 200. */
const IN_A_GOOD_ANSWER = 200;

const HINTS: { readonly [kind in Kind]?: string } = {
  overflow: 'shorten it with ai-condense, or see --condense-on-overflow',
};

/** An error that came with a good status: in a stream, or as a whole body. */
export const refusedLate = (refusal: Omit<Refusal, 'status'>): AttemptFailed =>
  refused({ ...refusal, status: IN_A_GOOD_ANSWER });

/** The words by which an API names an error: types, codes, Google's status, the exception of AWS. */
function wordsOf(error: JsonObject | undefined, headers: Headers): string {
  const { type, code, status, __type, details } = error ?? {};
  const inner = isObject(details) ? details.error_code : undefined;
  const innermost = isObject(error?.innererror) ? error.innererror.code : undefined;
  const all = [type, code, status, __type, inner, innermost, headers['x-amzn-errortype']];
  return all.filter((word) => typeof word === 'string').join(' ');
}

const SPENT_WORDS =
  /insufficient_quota|insufficient_balance|credit_balance|spend_limit|usage_limit|billing|ServiceQuotaExceeded|payment_required/i;
const SPENT_TEXT =
  /usage limits|credit balance|insufficient (balance|credit|funds|quota)|exceeded your (current|monthly) (quota|usage)|spending limit|billing|trial key|tokens per day, please wait|monthly (limit|quota)/i;
const FILTERED =
  /content_filter|content_policy|ResponsibleAIPolicy|data_inspection_failed|moderation|censorship|flagged as/i;
const MISSING = /model_not_found|model_not_exist|does not exist|not found|unknown model|no such model/i;
const KEY =
  /api[_ ]key[_ ](not valid|invalid)|invalid[_ ](api[_ ]key|x-api-key)|authentication_error|UNAUTHENTICATED|UnrecognizedClient|ExpiredToken|InvalidSignature/i;
const BUSY = /overloaded|slow_down|at capacity|UNAVAILABLE|ServiceUnavailable|ModelNotReady|high demand|loading model/i;
const LIMITED = /rate_limit|RESOURCE_EXHAUSTED|Throttling|too_many_requests/i;
const SERVER =
  /^(server_error|api_error|timeout_error|internal)|INTERNAL|DEADLINE_EXCEEDED|InternalServer|modelStreamError|ModelTimeout|ModelError/i;
const REFUSED = /invalid_request|INVALID_ARGUMENT|ValidationException|FAILED_PRECONDITION|permission/i;

/** Google says "check your billing" of every limit; the limit's own name tells which. */
const PER_MINUTE = /"quotaId"\s*:\s*"[^"]*PerMinute|"retryDelay"/;
const PER_DAY = /"quotaId"\s*:\s*"[^"]*PerDay/;

/** No pause makes room for one request that is larger than the limit of a minute. */
const OVER_A_MINUTE = /request too large.{0,200}(tokens per min|TPM)/is;

function kindOf(status: number, words: string, error: JsonObject | undefined, body: string): Kind {
  const message = typeof error?.message === 'string' ? error.message : '';
  if (isSpent(status, words, message, body)) return 'spent';
  if (OVER_A_MINUTE.test(message)) return 'overflow';
  if (status !== 429 && overflowIn(status, body)) return 'overflow';
  if (status === 400 || status === 403 || status === IN_A_GOOD_ANSWER) {
    if (FILTERED.test(words) || (status === 403 && FILTERED.test(message))) return 'filtered';
    if (KEY.test(words) || KEY.test(message)) return 'key';
  }
  if (/model_not_(found|exist)/.test(words)) return 'missing';
  return byStatus(status, message) ?? byWords(`${words} ${message}`) ?? byNumber(error) ?? 'server';
}

function isSpent(status: number, words: string, message: string, body: string): boolean {
  if (status === 402 || PER_DAY.test(body)) return true;
  if (SPENT_WORDS.test(words)) return true;
  return status < 500 && SPENT_TEXT.test(message) && !PER_MINUTE.test(body);
}

function byStatus(status: number, message: string): Kind | undefined {
  if (status === 401 || status === 403 || status === 407) return 'key';
  if (status === 404) return MISSING.test(message) ? 'missing' : 'refused';
  if (status === 429) return 'limited';
  if (status === 498 || status === 529) return 'busy';
  if (status === 408 || status === 409 || status === 425 || status === 424) return 'server';
  if (status === 501 || status === 505) return 'refused';
  if (status >= 500) return /overloaded|at capacity/i.test(message) ? 'busy' : 'server';
  return status >= 300 ? 'refused' : undefined;
}

const BY_WORDS: readonly (readonly [RegExp, Kind])[] = [
  [BUSY, 'busy'],
  [LIMITED, 'limited'],
  [KEY, 'key'],
  [REFUSED, 'refused'],
  [/not_found|NOT_FOUND/, 'missing'],
  [SERVER, 'server'],
];

const byWords = (words: string): Kind | undefined => BY_WORDS.find(([pattern]) => pattern.test(words))?.[1];

/** OpenRouter gives the status of the provider behind it as the error's code. */
function byNumber(error: JsonObject | undefined): Kind | undefined {
  const code = Number(error?.code ?? error?.status);
  return code >= 300 && code < 600 ? byStatus(code, '') : undefined;
}

const LONGEST = 500;

/** The provider's own words, one line, without control characters. A page of HTML has none. */
function messageIn(error: JsonObject | undefined, body: string): string {
  const { message, metadata, type, code } = error ?? {};
  const raw = isObject(metadata) && typeof metadata.raw === 'string' ? ` (${metadata.raw})` : '';
  const named = [type, code].find((word) => typeof word === 'string') ?? '';
  const plain = error === undefined && !/^\s*</.test(body) ? body : '';
  const text = typeof message === 'string' && message !== '' ? `${message}${raw}` : `${named}${plain}`;
  return text
    .slice(0, 4 * LONGEST)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, LONGEST);
}
