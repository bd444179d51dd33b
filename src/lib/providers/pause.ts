// How long a server wants to be left alone, and how much of its limits is left: headers and bodies of nine APIs.
import { isObject, type JsonObject } from '../json/values.ts';

export type Headers = Readonly<Record<string, string>>;

/**
 * Seconds until the server wants to hear from us again; undefined where it does not say. `now` in milliseconds since 1970.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after, https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers,
 * https://platform.claude.com/docs/en/api/rate-limits#response-headers, https://cloud.google.com/apis/design/errors#error_details (RetryInfo)
 */
export function pauseIn(headers: Headers, body: string, now: number): number | undefined {
  return retryAfter(headers, now) ?? retryInfo(body) ?? exhausted(headers, now) ?? inWords(body);
}

function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = numberIn(headers['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds / 1000;
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const seconds = numberIn(text);
  if (seconds !== undefined) return seconds;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;

/** Google's: `"details":[{"@type":"…RetryInfo","retryDelay":"34.07s"}]`. */
function retryInfo(body: string): number | undefined {
  const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Number(delay);
}

/** OpenAI's and Groq's: `Please try again in 6m12.5s`. */
function inWords(body: string): number | undefined {
  const words = /try again in ((?:\d+h)?(?:\d+m(?!s))?(?:[\d.]+m?s)?)/.exec(body)?.[1];
  return words ? durationOf(words) : undefined;
}

const UNITS: { readonly [unit: string]: number } = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** `6m0s`, `7.66s`, `20ms` in seconds. */
function durationOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS[unit ?? 's'] ?? 1), 0);
}

/** One limit of an account, as the server counts it. */
export interface Quota {
  readonly of: string;
  readonly limit?: number;
  readonly remaining?: number;
  /** Seconds until it is full again. */
  readonly reset?: number;
}

const DIMENSIONS = ['requests', 'tokens', 'input-tokens', 'output-tokens'];

/** The limits that a reply's headers tell of. */
export function quotasIn(headers: Headers, now: number): Quota[] {
  const found: Quota[] = [];
  for (const of of DIMENSIONS) {
    const told =
      quota(headers, of, (what) => `x-ratelimit-${what}-${of}`, now) ??
      quota(headers, of, (what) => `anthropic-ratelimit-${of}-${what}`, now);
    if (told) found.push(told);
  }
  const plain =
    quota(headers, 'requests', (what) => `x-ratelimit-${what}`, now) ??
    quota(headers, 'requests', (what) => `ratelimit-${what}`, now);
  return plain && found.length === 0 ? [plain] : found;
}

function quota(headers: Headers, of: string, name: (what: string) => string, now: number): Quota | undefined {
  const remaining = numberIn(headers[name('remaining')]);
  if (remaining === undefined) return undefined;
  const limit = numberIn(headers[name('limit')]);
  const reset = resetIn(headers[name('reset')], now);
  return { of, remaining, ...(limit !== undefined && { limit }), ...(reset !== undefined && { reset }) };
}

/** A duration, seconds, seconds or milliseconds since 1970, or a date. */
function resetIn(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const number = numberIn(text);
  if (number !== undefined) {
    if (number > 1e12) return Math.max(0, (number - now) / 1000);
    return number > 1e9 ? Math.max(0, number - now / 1000) : number;
  }
  const duration = durationOf(text);
  if (duration !== undefined) return duration;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/** Until the last of the limits that are used up is full again. */
function exhausted(headers: Headers, now: number): number | undefined {
  const resets = quotasIn(headers, now).flatMap(({ remaining, reset }) =>
    remaining === 0 && reset !== undefined ? [reset] : [],
  );
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

/** The error's own object in a body, whatever an API wraps around it; undefined for a body that holds none. */
export function errorIn(body: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const [top] = Array.isArray(value) ? value : [value];
  if (!isObject(top)) return undefined;
  const [first] = Array.isArray(top.errors) ? top.errors : [];
  const inner = [top.error, first, top.detail].find(isObject);
  if (inner) return { ...(typeof top.type === 'string' && top.type !== 'error' && { type: top.type }), ...inner };
  const words = [top.message, top.Message, top.error, top.detail].find((text) => typeof text === 'string');
  const [problem] = Array.isArray(top.detail) ? top.detail : [];
  const told = words ?? (isObject(problem) ? problem.msg : undefined);
  return told === undefined ? top : { ...top, message: told };
}
