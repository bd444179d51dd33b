// A text that is still being written: what at its end may become a call.

import { nameBefore } from './bare-json.ts';
import { extentAt } from './extent.ts';
import { nameAt, nameStart, readCall } from './literal.ts';
import { LITERALS, type Opener } from './openers.ts';
import { SPOKEN } from './reasoning.ts';
import type { Source, Tag } from './source.ts';
import { isToolTag } from './tool-tags.ts';
import type { Reading, Repair } from './types.ts';

/** What has not become a call over this many characters is none, unless its value is simply long. */
const PATIENCE = 4000;

/**
 * Whether more text could change what was read at an opener, and from where on the text has to wait then. `reading` is what was read, `end`
 * where the opener ends. undefined: it is decided.
 */
export function waitsFrom(
  source: Source,
  opener: Opener,
  place: Place,
  reading: Reading | undefined,
): number | undefined {
  const { at, end, tag } = place;
  if (reading) return isUnfinished(source, opener, tag, reading) ? Math.min(at, reading.start ?? at) : undefined;
  switch (opener.opener) {
    case '{':
      return growsToNamed(source, at) ?? (growsToObject(source, at) ? at : undefined);
    case '[':
      return growsToList(source, at) ? at : undefined;
    case '(':
      return callBefore(source, at);
    case '<':
      return tag !== undefined && isToolTag(source, tag) && source.find(`</${tag.name}>`, end) < 0 ? at : undefined;
    case 'Thought:':
      return source.startsLine(at) && source.text.length - at < 5 * PATIENCE ? at : undefined;
    case ': ':
      return /^[\w.-]{0,100}(?: A?r?g?s? ?:? ?)?$/.test(source.text.slice(end, end + 120)) ? at : undefined;
    default:
      return growsToBody(source, end, tag) ? at : undefined;
  }
}

/** Where an opener stands. */
interface Place {
  readonly at: number;
  readonly end: number;
  readonly tag?: Tag;
}

/** A call without its closing mark may have more of it to come, and so may one that ends with the text. */
function isUnfinished(source: Source, { grammar }: Opener, tag: Tag | undefined, reading: Reading): boolean {
  const { calls, end, cut, open } = reading;
  if (calls.length === 0 && cut === undefined) return end >= source.text.length;
  if (cut !== undefined || open === true) return true;
  if (calls.some(({ repairs }) => repairs?.some((repair) => GUESSES.has(repair)))) return true;
  if (grammar.delimited && isClosed(source, tag, end)) return false;
  const next = source.space(end);
  const rest = source.text.slice(next, next + 8);
  if (rest === '') return true;
  if (source.text.length - next > PATIENCE) return false;
  if (grammar.delimited) return /^[<[{;,|`✿]/.test(rest) || 'call:'.startsWith(rest.slice(0, 5));
  const value = /^[;,]/.test(rest) ? source.space(next + 1) : next;
  const c = source.text[value];
  return c === undefined || c === '<' ? true : (c === '{' || c === '[') && extentAt(source.text, value).type === 'cut';
}

/** What more text may put right. */
const GUESSES: ReadonlySet<Repair> = new Set(['closing tag missing', 'JSON mended']);

const CLOSER =
  /(?:<\|(?![^<>|]*arg)[^<>|]*(?:end|END|suffix|call|eo[mt])[^<>|]*\|>|<tool_call\|>|<end_function_call>|\]|<\|close\|>(?:call|tools)<\|sep\|>)\s*$/;

/** Whether what was read ends with the mark that closes it: of a tag, with the closing tag of the same name. */
function isClosed(source: Source, tag: Tag | undefined, end: number): boolean {
  const tail = source.flat.slice(Math.max(0, end - 120), end);
  if (tag === undefined || tag.name.startsWith('|') || tag.name.endsWith('|')) return CLOSER.test(tail);
  const close = tail.lastIndexOf('</');
  return close >= 0 && tail.trimEnd().endsWith('>') && tail.slice(close).toLowerCase().includes(tag.name.toLowerCase());
}

/** Behind the name of a tool every object is its arguments. */
function growsToNamed(source: Source, at: number): number | undefined {
  const start = nameBefore(source, at);
  return start !== undefined && extentAt(source.text, at).type === 'cut' ? start : undefined;
}

const KEY = /["'“]?(?:name|tool|function|action|recipient_name|api|fn|type|id|arguments|parameters|input|args)/;

function growsToObject(source: Source, at: number): boolean {
  const rest = source.text.slice(at + 1, at + 300).trimStart();
  if (rest === '') return true;
  if (!/^(?:["'“{\\]|[a-z])/.test(rest) || extentAt(source.text, at).type !== 'cut') return false;
  return rest.length < 40 || KEY.test(rest);
}

function growsToList(source: Source, at: number): boolean {
  const inner = source.space(at + 1);
  const c = source.text[inner];
  if (c === undefined) return true;
  if (c === '{') return growsToObject(source, inner) || extentAt(source.text, at).type === 'cut';
  const name = nameAt(source.text, inner);
  if (name === '') return false;
  const next = source.text[inner + name.length];
  if (next === undefined) return !source.tools.known || [...source.tools.names].some((tool) => tool.startsWith(name));
  if (next !== '(' || (source.tools.known && source.tools.resolve(name)?.tool === undefined)) return false;
  return extentAt(source.text, at).type === 'cut' || readCall(source.text, inner).reach >= source.text.length - 1;
}

/** Where the call of a tool begins whose parentheses are open. */
function callBefore(source: Source, at: number): number | undefined {
  const start = nameStart(source.text, at);
  const name = source.text.slice(start, at);
  const isCall =
    start < at && source.startsLine(start) && (name === 'print' || source.tools.resolve(name)?.tool !== undefined);
  return isCall && extentAt(source.text, at).type === 'cut' && !source.text.slice(at).includes('\n\n')
    ? start
    : undefined;
}

/** Behind the opener of a format that has marks: nothing yet, or what a call can begin with. */
function growsToBody(source: Source, end: number, tag: Tag | undefined): boolean {
  const colon = /^\s*[:：]/.exec(source.text.slice(end, end + 4))?.[0].length ?? 0;
  const start = source.space(end + colon);
  const rest = source.text.slice(start, start + 300);
  if (rest === '') return true;
  const size = source.text.length - start;
  if (rest[0] === '{' || rest[0] === '[') return extentAt(source.text, start).type === 'cut' || size < PATIENCE;
  if ('<`]'.includes(rest[0] ?? ' ')) return size < PATIENCE;
  if (tag?.name.startsWith('|') && size < HEADER) return true;
  return /^[\p{L}\p{N}_$.\-/:]{1,200}(?:\s*$|\s*[<({[:=✿]|\s*\n)/u.test(rest) && size < PATIENCE;
}

/** Headers between tokens are shorter than this. */
const HEADER = 400;

/** Lines that belong to a call below them: what stands before Claude's calls where their marks are lost, and the mark of YAML. */
const LEADS = ['court', 'count', 'call', 'courtesy', 'counts', 'function_calls', '---'];

/** Words that something begins with that is no opener by itself. */
const LINE_WORDS = ['```', '~~~', ...LEADS, ...SPOKEN, ...LITERALS];
const MARKS = ['[THINK]', '◁think▷', '[/TOOL_CALLS]', '[/TOOL_CALL]', '[END_TOOL_REQUEST]', '[TOOL_REQUEST_END]'];
const WORDS = ['commentary', 'assistant', '[unused12]', ...MARKS, ...LITERALS];
const LONGEST_WORD = Math.max(...WORDS.map(({ length }) => length));

/** Where at the end of the text something stands that may be the beginning of a call; the text's length if nothing does. */
export function tailOf(source: Source, from: number, closers: readonly string[] = []): number {
  const { text } = source;
  const line = Math.max(from, text.lastIndexOf('\n') + 1);
  const start = Math.min(source.space(line), text.length);
  const last = text.slice(start);
  if (last !== '' && last.length < 100 && startsLine(source, last)) return start;
  const tag = text.lastIndexOf('<');
  const partial = tag >= from && text.length - tag < 600 && isPartOfTag(text.slice(tag + 1)) ? tag : text.length;
  for (let at = Math.max(from, text.length - LONGEST_WORD); at < partial; at += 1) {
    const end = text.slice(at);
    const free = !/[\p{L}\p{N}_]/u.test(text[at - 1] ?? '') || !/[\p{L}\p{N}_]/u.test(end[0] ?? '');
    if (free && WORDS.some((word) => word.startsWith(end) && word !== end)) return at;
    if (closers.some((closer) => closer.startsWith(end))) return at;
  }
  return partial;
}

/** Where the line above `at` begins if it belongs to what stands at `at`: one of the words, or a tool's name alone; else `at`. */
export function leadBefore(source: Source, at: number, from: number): number {
  const { text, tools } = source;
  if (!source.startsLine(at)) return at;
  let end = at;
  while (end > from && at - end < 200 && isBlank(text.charCodeAt(end - 1))) end -= 1;
  const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
  const name = end - start < 200 ? text.slice(start, end).trim() : '';
  return LEADS.includes(name) || (name !== '' && tools.has(name)) ? source.space(start) : at;
}

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Whether a line begins as a call does: with a word of a format, or with the name of a tool. */
function startsLine(source: Source, last: string): boolean {
  if (LINE_WORDS.some((word) => word.startsWith(last) || last.startsWith('Action:'))) return true;
  const name = /^[^\s({[<:]+/.exec(last)?.[0] ?? '';
  if (name === '') return false;
  const whole = name.length < last.trimEnd().length;
  if (LIBRARY.startsWith(name)) return true;
  const own = name.replace(LIBRARY, '');
  for (const tool of source.tools.names)
    if (whole ? tool === own && isCallSoFar(last) : tool.startsWith(own)) return true;
  return false;
}

/** What Gemini's models take tools out of. */
const LIBRARY = 'default_api.';

const isCallSoFar = (last: string): boolean => /^[^\s({[<:]+\s*[({[:]/.test(last);

function isPartOfTag(rest: string): boolean {
  if (rest.includes('>')) return false;
  return (
    /^[\s/|｜‖]*[\p{L}_|｜‖]?[^\s<>]{0,80}(?:\s[^<>]*)?$/u.test(rest) && !/^\s+\w/.test(rest) && !/^[=\d]/.test(rest)
  );
}
