// One line to one record, and what is wrong with a line that is none.
import { badInput, type Failure } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import type { Json } from '../json/values.ts';
import type { Line } from './split.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** Above this many characters the place of a syntax error is not looked for: finding it parses the line some 25 times. */
const SEARCHED = 1_000_000;

/** Called with each bad line. It throws, or returns to have the line passed on as it came. */
export type OnBad = (failure: Failure, rec: Rec) => void;

/**
 * Reads one line. A blank line is a record without a value; so is a bad one, if `onBad` lets it pass. undefined: `documents` has taken it, as the
 * first line of a document.
 */
export function parseLine(
  line: Line,
  file: string,
  number: number,
  onBad: OnBad,
  documents?: { begin(line: string, number: number, whole: string): boolean },
): Rec | undefined {
  if (typeof line !== 'string') {
    const rec = { value: undefined, source: line, file, line: number };
    const why = line ? 'not valid UTF-8' : 'it is longer than 512 MB';
    onBad(badInput(rec, `cannot read the line: ${why}`), rec);
    return rec;
  }
  const text = number === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
  let value: Json | undefined;
  try {
    value = JSON.parse(text);
  } catch {
    const trimmed = text.trimEnd();
    if (trimmed !== '' && documents?.begin(text, number, line)) return undefined;
    if (trimmed !== '') reportBad(trimmed, { value, source: line, file, line: number }, onBad);
  }
  return { value, source: line, file, line: number };
}

function reportBad(text: string, rec: Rec, onBad: OnBad): void {
  const { what, at } = complaintAbout(text);
  const hint = rec.line === 1 ? hintFor(text, rec.file) : undefined;
  onBad(badInput(rec, `cannot parse JSON: ${what}${at === undefined ? '' : ` at character ${at + 1}`}`, hint), rec);
}

/** How a first line is to be read that is plainly no JSON. */
function hintFor(text: string, file: string | undefined): string | undefined {
  if (/^\s*[[{"]/.test(text.slice(0, 100)) || text.includes('\0')) return undefined;
  const named = file === undefined || file === '-' ? '' : ` ${file}`;
  return /^(data|event|id|retry)?:/.test(text)
    ? `if it is an event stream: ai-transform${named}`
    : `if it is text: ai-transform --from text --to openai${named}`;
}

/** What the parser met and where (counted from 0), without quoting the text: it may hold secrets or control characters. */
export function complaintAbout(text: string): { readonly what: string; readonly at?: number } {
  const error = errorOf(text);
  if (!(error instanceof SyntaxError)) return { what: 'nested too deeply' };
  if (isCutOff(text, error)) return { what: 'unexpected end', at: text.length };
  const at = positionIn(error) ?? (text.length > SEARCHED ? undefined : firstBad(text));
  return { what: complaint(error), ...(at !== undefined && { at }) };
}

/** Whether a text is the beginning of JSON. */
export function isUnfinished(text: string): boolean {
  const error = errorOf(text);
  return error instanceof SyntaxError && isCutOff(text, error);
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

function isCutOff(text: string, error: SyntaxError): boolean {
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
    if (!(error instanceof SyntaxError) || isCutOff(prefix, error)) good = middle;
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
