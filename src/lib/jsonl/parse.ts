// One line to one record, and what is wrong with a line that is none.
import { badInput, type Failure } from '../ir/failure.ts';
import type { Json } from '../ir/json.ts';
import type { Rec } from '../ir/record.ts';
import type { Line } from './split.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** Above this many characters the place of a syntax error is not looked for: finding it parses the line some 25 times. */
const SEARCHED = 1_000_000;

/** Called with each bad line. It throws, or returns to have the line passed on as it came. */
export type OnBad = (failure: Failure) => void;

/** Reads one line. A blank line is a record without a value; so is a bad one, if `onBad` lets it pass. */
export function parseLine(line: Line, file: string, number: number, onBad: OnBad): Rec {
  if (typeof line !== 'string') {
    const rec = { value: undefined, source: line, file, line: number };
    onBad(badInput(rec, line ? 'cannot read the line: not valid UTF-8' : 'cannot read the line: longer than 512 MB'));
    return rec;
  }
  return { value: parse(line, file, number, onBad), source: line, file, line: number };
}

function parse(line: string, file: string, number: number, onBad: OnBad): Json | undefined {
  const text = number === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
  try {
    return JSON.parse(text);
  } catch {
    const trimmed = text.trimEnd();
    if (trimmed === '') return undefined;
    onBad(badInput({ value: undefined, file, line: number }, `cannot parse JSON: ${problem(trimmed)}`));
    return undefined;
  }
}

/** What the parser met and where, without quoting the line: it may hold secrets or control characters. */
function problem(text: string): string {
  const error = errorOf(text);
  if (!(error instanceof SyntaxError)) return 'nested too deeply';
  if (isUnfinished(text, error)) return `unexpected end at character ${text.length + 1}`;
  const place = positionIn(error) ?? (text.length > SEARCHED ? undefined : firstBad(text));
  return place === undefined ? complaint(error) : `${complaint(error)} at character ${place + 1}`;
}

function complaint({ message }: SyntaxError): string {
  if (/control character/.test(message)) return 'control character in a string';
  if (/escaped character|Unicode escape/.test(message)) return 'bad escape';
  if (/after JSON/.test(message)) return 'something follows the value';
  return 'unexpected character';
}

/** Where the parser stopped, counted from 0; it does not always say. */
function positionIn({ message }: SyntaxError): number | undefined {
  const match = /at position (\d+)/.exec(message);
  return match ? Number(match[1]) : undefined;
}

function isUnfinished(text: string, error: SyntaxError): boolean {
  if (/^Unexpected end|^Unterminated string/.test(error.message)) return true;
  const position = positionIn(error);
  return position !== undefined && position >= text.length;
}

/** The first character that makes a prefix wrong rather than unfinished, found by bisection. */
function firstBad(text: string): number {
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const prefix = text.slice(0, middle);
    const error = errorOf(prefix);
    if (!(error instanceof SyntaxError) || isUnfinished(prefix, error)) good = middle;
    else bad = middle;
  }
  return good;
}

function errorOf(text: string): unknown {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error;
  }
}
