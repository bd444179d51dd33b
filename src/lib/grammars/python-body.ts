// Calls in Python's syntax: `[f(a=1), g()]`, or one after another.
import type { Body } from './body.ts';
import { type LiteralCall, nameAt, readCall } from './literal.ts';
import type { Source } from './source.ts';
import { MOST_CALLS, type Repair, type Spoken } from './types.ts';

/** Reads a list of calls, or calls separated by line breaks, commas or semicolons. `print(…)` around a call is passed over. */
export function pythonBody(source: Source, at: number): Body | undefined {
  const { text } = source;
  const start = source.space(at);
  const listed = text[start] === '[';
  const calls: Spoken[] = [];
  let end = start;
  for (let i = listed ? source.space(start + 1) : start; ; ) {
    const found = callAt(source, i);
    if (found === undefined || calls.length >= MOST_CALLS) break;
    calls.push(found.call);
    end = found.end;
    i = separator(source, end);
  }
  if (calls.length === 0) return undefined;
  if (!listed) return { calls, end };
  const close = text[source.space(end)] === ',' ? source.space(source.space(end) + 1) : source.space(end);
  return { calls, end: text[close] === ']' ? close + 1 : end };
}

function separator(source: Source, at: number): number {
  const i = source.space(at);
  return source.text[i] === ',' || source.text[i] === ';' ? source.space(i + 1) : i;
}

interface Found {
  readonly call: Spoken;
  readonly end: number;
}

function callAt(source: Source, at: number): Found | undefined {
  const name = nameAt(source.text, at);
  if (name === '' || source.text[at + name.length] !== '(') return undefined;
  if (name === 'print') return printed(source, at + name.length);
  const read = readOnce(source, at);
  if (read === undefined) return undefined;
  const positions = read.values.length > 0;
  const repairs: Repair[] = positions ? ['positional arguments'] : [];
  const given: Spoken['arguments'] = positions
    ? { type: 'positions', values: read.values, named: read.named }
    : { type: 'json', value: read.named };
  return { call: { name: read.name, arguments: given, repairs }, end: read.end };
}

function readOnce(source: Source, at: number): LiteralCall | undefined {
  if (source.isVain('python', at)) return undefined;
  const strict = readCall(source.text, at);
  if (strict.call) return strict.call;
  const loose = readCall(source.text, at, true);
  return loose.call ?? source.vain('python', Math.max(strict.reach, loose.reach));
}

function printed(source: Source, at: number): Found | undefined {
  const inner = callAt(source, source.space(at + 1));
  if (inner === undefined) return undefined;
  const close = source.space(inner.end);
  return source.text[close] === ')' ? { ...inner, end: close + 1 } : undefined;
}
