// Recorded exchanges: what was asked, and what came back. Matched by the request, so that a replay is an answer to the same question.
import { readFileSync } from 'node:fs';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { equal, isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import type { Recorded } from '../../lib/providers/exchange.ts';
import { append } from './append.ts';
import { scrub } from './secrets.ts';
import type { Question } from './session.ts';

export interface TapedExchange extends Question {
  readonly type: 'exchange';
  readonly response: Recorded;
}

/** Reads a cassette. Throws a Failure: 74 if it cannot be read, 65 with the line if it holds something else. */
function readCassette(path: string): TapedExchange[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Failure(EXIT.io, 'cannot read the cassette', { place: path, hint: 'record one with --record FILE' });
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
  if (!whole) throw new Failure(EXIT.badInput, 'cannot read the line: it is not a recorded exchange', { place });
  return taped;
}

/** Adds exchanges to a cassette. It holds no header; what looks like a key is masked wherever it stands. */
export function tapeOf(path: string) {
  return (question: Question, response: Recorded, mask: (text: string) => string): void => {
    const line = scrub(mask(JSON.stringify({ type: 'exchange', ...question, response })));
    append(path, JSON.parse(line) as JsonObject, 'the cassette');
  };
}

/** A request as the tape has it. */
const taped = (request: JsonObject): JsonObject => JSON.parse(scrub(JSON.stringify(request)));

/** The exchanges of a file, and which of them have been played. */
export class Cassette {
  readonly #path: string;
  readonly #all: readonly TapedExchange[];
  readonly #played = new Set<TapedExchange>();

  constructor(path: string) {
    this.#path = path;
    this.#all = readCassette(path);
  }

  /**
   * The exchange whose request equals the one that `build` makes for it. A request that was recorded several times gets its answers in their
   * order, and the last one from then on. An unmatched request is an error (69) that shows the nearest recorded one.
   */
  match(build: (exchange: TapedExchange) => JsonObject): TapedExchange {
    const near: { readonly at: number; readonly differences: readonly string[] }[] = [];
    const fitting = this.#all.filter((exchange, at) => {
      const differences = differing(taped(build(exchange)), exchange.request);
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
function differing(asked: unknown, recorded: unknown, path = ''): string[] {
  if (equal(asked, recorded)) return [];
  const open = (value: unknown) => typeof value === 'object' && value !== null;
  if (!open(asked) || !open(recorded)) return [`${path || '.'} (${brief(asked)}, recorded ${brief(recorded)})`];
  const keys = new Set([...Object.keys(asked as object), ...Object.keys(recorded as object)]);
  return [...keys].flatMap((key) =>
    differing((asked as JsonObject)[key], (recorded as JsonObject)[key], `${path}.${key}`),
  );
}

const BRIEF = 40;

function brief(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value as Json);
  return text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text;
}
