// A state written down: for tests, for repeating a decision, for other programs that keep one.
import { readFileSync } from 'node:fs';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject } from '../json/values.ts';
import type { SharedState } from './types.ts';

/**
 * Reads `{"turn":7,"in_flight":{"openai/gpt-4o":2},"headroom":{"openai/gpt-4o":0.5},"spent":{"2026-11-20":1.25}}`; each part may be missing.
 * Throws a Failure (78) with the path for anything else.
 */
export function readSnapshot(file: string): SharedState {
  const value = parse(file);
  const { turn, in_flight, headroom, spent } = value;
  if (turn !== undefined && !(Number.isSafeInteger(turn) && Number(turn) >= 0)) throw wrong(file, 'turn', 'a count');
  const flights = numbers(in_flight, file, 'in_flight');
  const rooms = numbers(headroom, file, 'headroom');
  const days = numbers(spent, file, 'spent');
  return {
    inFlight: (provider, model) => flights.get(`${provider}/${model}`) ?? 0,
    headroom: (provider, model) => rooms.get(`${provider}/${model}`),
    spent: (now) => days.get(new Date(now).toISOString().slice(0, 10)) ?? 0,
    turn: () => turn as number | undefined,
  };
}

function parse(file: string): { readonly [field: string]: unknown } {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(value)) return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Failure(EXIT.config, 'cannot read the state: no such file', { place: file });
  }
  throw new Failure(EXIT.config, 'cannot read the state: it is not a JSON object', { place: file });
}

function numbers(value: unknown, file: string, field: string): ReadonlyMap<string, number> {
  if (value === undefined) return new Map();
  const entries = isObject(value) ? Object.entries(value) : undefined;
  if (!entries?.every(([, number]) => typeof number === 'number' && number >= 0))
    throw wrong(file, field, 'an object of numbers that are not negative');
  return new Map(entries as [string, number][]);
}

const wrong = (file: string, field: string, wanted: string): Failure =>
  new Failure(EXIT.config, `${field}: expected ${wanted}`, { place: file });
