// Recorded exchanges: what was asked, and what came back. Matched by the request, so that a replay is an answer to the same question.
import { appendFileSync, readFileSync } from 'node:fs';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import { equal, isObject, type JsonObject } from '../../lib/ir/json.ts';
import type { Recorded } from '../../lib/providers/exchange.ts';

export interface TapedExchange {
  readonly type: 'exchange';
  readonly provider: string;
  readonly api: string;
  readonly request: JsonObject;
  readonly response: Recorded;
}

/** Reads a cassette. Throws a Failure: 74 if it cannot be read, 65 with the line if it holds something else. */
export function readCassette(path: string): TapedExchange[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Failure(EXIT.io, 'cannot read the cassette', { place: path, hint: 'make one with --record FILE' });
  }
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [readTaped(line, `${path}:${i + 1}`)]));
}

function readTaped(line: string, place: string): TapedExchange {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Failure(EXIT.badInput, 'cannot parse JSON', { place });
  }
  const taped = value as TapedExchange;
  const whole =
    isObject(value) && value.type === 'exchange' && isObject(taped.request) && typeof taped.response?.body === 'string';
  if (!whole) throw new Failure(EXIT.badInput, 'not a recorded exchange', { place });
  return taped;
}

/** Adds an exchange to a cassette. It holds no header, and so no key. */
export function record(path: string, exchange: TapedExchange): void {
  try {
    appendFileSync(path, `${JSON.stringify(exchange)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new Failure(EXIT.io, `cannot write the cassette: ${error instanceof Error ? error.message : error}`, {
      place: path,
    });
  }
}

/** The exchange whose request equals the one that `build` makes for it. An unmatched request is an error that says what differs. */
export function match(
  path: string,
  taped: readonly TapedExchange[],
  build: (exchange: TapedExchange) => JsonObject,
): TapedExchange {
  let nearest: string | undefined;
  for (const exchange of taped) {
    const request = build(exchange);
    if (equal(request, exchange.request)) return exchange;
    nearest ??= difference(request, exchange.request, '');
  }
  const why = nearest === undefined ? 'it is empty' : `the first exchange differs at ${nearest}`;
  throw new Failure(EXIT.unavailable, `no recorded exchange fits this request: ${why}`, {
    place: path,
    hint: 'record it with --record',
  });
}

/** The path of the first difference. */
function difference(a: unknown, b: unknown, path: string): string | undefined {
  if (equal(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return path || '.';
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    const found = difference((a as JsonObject)[key], (b as JsonObject)[key], `${path}.${key}`);
    if (found) return found;
  }
  return path || '.';
}
