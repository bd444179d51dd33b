// The little of Markdown that tells quotation from speech: fences and code spans. https://spec.commonmark.org/0.31.2/
import type { Source } from './source.ts';

export interface Fence {
  readonly start: number;
  /** Three or more backticks or tildes. */
  readonly mark: string;
  /** What stands behind the mark: the language. */
  readonly info: string;
  /** Where the line after the mark begins. */
  readonly body: number;
  /** Nothing closes it. */
  readonly open: boolean;
}

/** The fence whose mark stands at `at`, the first place of a line that is no blank; `closes` if it ends `current`. */
export function fenceAtLine(source: Source, at: number, current: Fence | undefined): Fence | 'closes' | undefined {
  const { text } = source;
  const c = text[at];
  if ((c !== '`' && c !== '~') || text[at + 1] !== c || text[at + 2] !== c) return undefined;
  let end = at + 3;
  while (text[end] === c) end += 1;
  const mark = text.slice(at, end);
  const lineEnd = source.find('\n', end);
  const info = text.slice(end, lineEnd < 0 ? text.length : lineEnd).trim();
  if (current) return info === '' && mark.startsWith(current.mark) ? 'closes' : undefined;
  if (c === '`' && info.includes('`')) return undefined;
  const body = lineEnd < 0 ? text.length : lineEnd + 1;
  return { start: at, mark, info, body, open: !isClosed(source, mark, body) };
}

/** The line of a fence at `at`: its mark, where the next line begins, and whether the line is whole. */
export function fenceMarkAt(text: string, at: number): { mark: string; body: number; whole: boolean } | undefined {
  const c = text[at];
  if ((c !== '`' && c !== '~') || text[at + 1] !== c || text[at + 2] !== c) return undefined;
  let end = at + 3;
  while (text[end] === c) end += 1;
  const lineEnd = text.indexOf('\n', end);
  if (c === '`' && text.slice(end, lineEnd < 0 ? text.length : lineEnd).includes(c)) return undefined;
  return { mark: text.slice(at, end), body: lineEnd < 0 ? text.length : lineEnd + 1, whole: lineEnd >= 0 };
}

function isClosed(source: Source, mark: string, from: number): boolean {
  for (let at = source.find(mark, from); at >= 0; at = source.find(mark, at + 1)) {
    if (!source.spend(8)) return false;
    if (!source.startsLine(at)) continue;
    const lineEnd = source.find('\n', at);
    if (
      source.text
        .slice(at + mark.length, lineEnd < 0 ? undefined : lineEnd)
        .trim()
        .replaceAll(mark[0] ?? '', '') === ''
    )
      return true;
  }
  return false;
}

export interface CodeSpan {
  /** Where the closing backticks begin. */
  readonly close: number;
  readonly end: number;
}

/** Code spans are looked for over this many characters. */
const LONGEST = 4000;

/** The code span that the backticks at `at` open; undefined if the paragraph does not close it. */
export function codeSpan(source: Source, at: number): CodeSpan | undefined {
  const { text } = source;
  let from = at;
  while (text[from] === '`') from += 1;
  const width = from - at;
  const blank = source.find('\n\n', from);
  const limit = Math.min(text.length, from + LONGEST, blank < 0 ? text.length : blank);
  for (let i = text.indexOf('`', from); i >= 0 && i < limit; ) {
    let end = i;
    while (text[end] === '`') end += 1;
    if (end - i === width) return { close: i, end };
    i = text.indexOf('`', end);
  }
  return undefined;
}
