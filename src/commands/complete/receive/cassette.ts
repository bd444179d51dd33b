// Cassettes: files of recorded exchanges, a request and its reply a line. A replay is matched by the request.
import { readFileSync } from 'node:fs';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { equal, isObject, type Json, type JsonObject } from '../../../lib/json/values.ts';
import type { Recorded } from '../../../lib/providers/exchange.ts';
import { maskKeys } from '../request/secrets.ts';
import { appendLine } from './append-line.ts';

interface RecordedRequest {
  readonly provider: string;
  readonly api: string;
  /** The model's id, which some APIs have in the URL alone. */
  readonly model: string;
  readonly streamed: boolean;
  readonly request: JsonObject;
}

export interface RecordedExchange extends RecordedRequest {
  readonly type: 'exchange';
  readonly response: Recorded;
}

/** Reads a cassette. Throws a Failure: 74 if it cannot be read, 65 with the line if it holds something else. */
function readCassette(path: string): RecordedExchange[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Failure(EXIT.io, 'cannot read the cassette', { place: path, hint: 'record one with --record FILE' });
  }
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [readExchange(line, `${path}:${i + 1}`)]));
}

function readExchange(line: string, place: string): RecordedExchange {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Failure(EXIT.badInput, 'cannot parse JSON', { place });
  }
  const exchange = value as RecordedExchange;
  const isExchange =
    isObject(value) &&
    value.type === 'exchange' &&
    isObject(exchange.request) &&
    typeof exchange.response?.body === 'string';
  if (!isExchange) throw new Failure(EXIT.badInput, 'cannot read the line: it is not a recorded exchange', { place });
  return exchange;
}

export type RecordExchange = (question: RecordedRequest, response: Recorded, mask: (text: string) => string) => void;

/** Appends exchanges to a cassette, without headers and with everything masked that looks like a key. */
export function recordExchangesTo(path: string): RecordExchange {
  return (question, response, mask) => {
    const line = maskKeys(mask(JSON.stringify({ type: 'exchange', ...question, response })));
    appendLine(path, JSON.parse(line) as JsonObject, 'the cassette');
  };
}

/** A request as it is recorded. */
const maskRequest = (request: JsonObject): JsonObject => JSON.parse(maskKeys(JSON.stringify(request)));

/** The exchanges of a file, and which of them have been played. */
export class Cassette {
  readonly #path: string;
  readonly #all: readonly RecordedExchange[];
  readonly #played = new Set<RecordedExchange>();

  constructor(path: string) {
    this.#path = path;
    this.#all = readCassette(path);
  }

  /**
   * The exchange whose request equals the one that `build` makes for it. A request that was recorded several times gets its answers in their
   * order, and the last one from then on. An unmatched request is an error (69) that shows the nearest recorded one.
   */
  match(build: (exchange: RecordedExchange) => JsonObject): RecordedExchange {
    const near: { readonly at: number; readonly differences: readonly string[] }[] = [];
    const fitting = this.#all.filter((exchange, at) => {
      const differences = findDifferences(maskRequest(build(exchange)), exchange.request);
      near.push({ at, differences });
      return differences.length === 0;
    });
    const chosen = fitting.find((exchange) => !this.#played.has(exchange)) ?? fitting.at(-1);
    if (chosen) {
      this.#played.add(chosen);
      return chosen;
    }
    const [nearest] = near.sort((a, b) => a.differences.length - b.differences.length);
    const why = nearest
      ? `the nearest (exchange ${nearest.at + 1}) differs at ${nearest.differences.slice(0, 3).join('; ')}`
      : 'it is empty';
    throw new Failure(EXIT.unavailable, `no recorded exchange matches this request: ${why}`, {
      place: this.#path,
      hint: 'record it with --record',
    });
  }
}

/** Where two requests differ, with both values. */
function findDifferences(asked: unknown, recorded: unknown, path = ''): string[] {
  if (equal(asked, recorded)) return [];
  const open = (value: unknown) => typeof value === 'object' && value !== null;
  if (!open(asked) || !open(recorded)) return [`${path || '.'} (${shorten(asked)}, recorded ${shorten(recorded)})`];
  const keys = new Set([...Object.keys(asked as object), ...Object.keys(recorded as object)]);
  return [...keys].flatMap((key) =>
    findDifferences((asked as JsonObject)[key], (recorded as JsonObject)[key], `${path}.${key}`),
  );
}

const SHORTENED = 40;

function shorten(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value as Json);
  return text.length > SHORTENED ? `${text.slice(0, SHORTENED)}…` : text;
}
