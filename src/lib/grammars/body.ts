// What stands between the opener and the closer of a wrapper.
import type { Source } from './source.ts';
import { skipStray } from './stray.ts';
import type { Grammar, Opening, Reading, Spoken } from './types.ts';

export interface Body {
  readonly calls: readonly Spoken[];
  readonly end: number;
  /** Where arguments begin that the text's end cuts off. */
  readonly cut?: number;
  /** The format of the body, where it tells. */
  readonly format?: string;
  readonly advertised?: true;
}

/** Reads the calls at `at`; `closers` are the texts that end the wrapper. undefined: not in this encoding. */
export type ReadBody = (source: Source, at: number, closers: readonly string[]) => Body | undefined;

type Wrapper = Omit<Grammar, 'read' | 'delimited'> & {
  readonly closers: readonly string[];
  readonly body: ReadBody;
};

/** A grammar of calls between an opener and a closer. The closer may be missing. */
export function wrapped({ closers, body, ...grammar }: Wrapper): Grammar {
  return { ...grammar, delimited: true, read: (source, opening) => readWrapped(source, opening, closers, body) };
}

export function readWrapped(
  source: Source,
  { opener, end }: Opening,
  closers: readonly string[],
  body: ReadBody,
): Reading | undefined {
  let start = source.breaks(end);
  if (source.has(opener, start)) start = source.space(start + opener.length);
  const fenced = fenceAt(source, start);
  const found = body(source, fenced ?? start, closers);
  return found && closed(source, found, closers, fenced !== undefined);
}

/** The reading with the closers, and a fence within the wrapper, behind it. */
function closed(source: Source, found: Body, closers: readonly string[], fenced: boolean): Reading {
  if (found.cut !== undefined) return found;
  let { end } = found;
  if (fenced) {
    const fence = source.space(end);
    if (source.has('```', fence)) end = fence + 3;
  }
  const from = skipBraces(source, end, closers);
  end = skipClosers(source, skipStray(source, from), closers);
  const visible = closers.some((closer) => /^(?:<\/|\[)/.test(closer));
  return end === from && visible ? { ...found, calls: unclosed(found.calls), end, open: true } : { ...found, end };
}

/** The calls, the last of which has no closing tag. */
function unclosed(calls: readonly Spoken[]): Spoken[] {
  return calls.map((call, i) =>
    i < calls.length - 1 ? call : { ...call, repairs: [...(call.repairs ?? []), 'closing tag missing'] },
  );
}

function skipClosers(source: Source, at: number, closers: readonly string[]): number {
  const start = source.space(at);
  const closer = source.oneOf(closers, start);
  return closer === undefined ? at : skipStray(source, start + closer.length);
}

/** Brackets too many before the closer. */
function skipBraces(source: Source, at: number, closers: readonly string[]): number {
  let i = at;
  while (i < source.text.length && /[\s}\]]/.test(source.text[i] ?? '')) i += 1;
  return i > source.space(at) && (i === source.text.length || source.oneOf(closers, i) !== undefined) ? i : at;
}

/** Behind the first line of a code fence at `at`; undefined if there is none. */
export function fenceAt(source: Source, at: number): number | undefined {
  if (!source.has('```', at)) return undefined;
  FENCE.lastIndex = at;
  return FENCE.test(source.text) ? FENCE.lastIndex : undefined;
}

const FENCE = /```[ \t]*[\w-]{0,20}[ \t]*\r?\n\s*/y;
