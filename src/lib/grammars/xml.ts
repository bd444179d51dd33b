// XML elements without attributes as values: children become keys, repeated ones a list.
import type { Json } from '../json/values.ts';
import type { Parameters } from './parameter.ts';
import { stripped } from './parameter.ts';
import type { Source, Tag } from './source.ts';
import { tagAt } from './tag.ts';
import type { TextArgument } from './types.ts';

/** Elements that hold the parameters of a call, and mean nothing by themselves. */
const HOLDERS = new Set(['parameters', 'arguments', 'params', 'input']);

/** The child elements from `at` on as arguments; undefined if `tag`, the first of them, opens none. */
export function childrenAt(source: Source, at: number, tag: Tag | undefined): Parameters | undefined {
  if (tag === undefined || tag.closes || tag.name === '' || tag.rest.trim() !== '') return undefined;
  if (HOLDERS.has(tag.name)) {
    const close = source.find(closerOf(source, at, tag), tag.end);
    const inner = childrenWithin(source, tag.end, close < 0 ? source.text.length : close);
    if (inner.length > 0)
      return { entries: inner, end: close < 0 ? source.text.length : behind(source, close), repairs: [] };
  }
  const entries: TextArgument[] = [];
  let end = at;
  for (;;) {
    const child = childAt(source, end, source.text.length);
    if (child === undefined) break;
    entries.push({ key: child.key, text: child.text });
    end = child.end;
  }
  return entries.length > 0 ? { entries, end, repairs: [] } : undefined;
}

function behind(source: Source, close: number): number {
  return source.flat.indexOf('>', close) + 1;
}

function childrenWithin(source: Source, from: number, to: number): TextArgument[] {
  const entries: TextArgument[] = [];
  for (let at = from; ; ) {
    const child = childAt(source, at, to);
    if (child === undefined) return entries;
    entries.push({ key: child.key, text: child.text });
    at = child.end;
  }
}

interface Child {
  readonly key: string;
  readonly text: string;
  readonly end: number;
}

/** MiniMax M3 puts this before every tag. */
export const NOISE = ']<]minimax[>[';

function childAt(source: Source, at: number, limit: number): Child | undefined {
  let start = source.space(at);
  const noisy = source.has(NOISE, start);
  if (noisy) start += NOISE.length;
  const tag = source.text[start] === '<' ? tagAt(source, start) : undefined;
  if (tag === undefined || tag.closes || tag.name === '' || !/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(tag.name))
    return undefined;
  if (tag.empty) return { key: tag.name, text: '', end: tag.end };
  const closer = noisy ? `${NOISE}</${tag.name}>` : `</${tag.name}>`;
  const close = closing(source, tag.end, `<${tag.name}>`, closer);
  if (close < 0 || close > limit) return undefined;
  return { key: tag.name, text: stripped(source.text.slice(tag.end, close)), end: close + closer.length };
}

/** The closing tag that belongs to an opener before `from`: elements of the same name may stand within. */
function closing(source: Source, from: number, opener: string, closer: string): number {
  let open = source.find(opener, from);
  let close = source.find(closer, from);
  while (close >= 0 && open >= 0 && open < close) {
    if (!source.spend(16)) return -1;
    close = source.find(closer, close + closer.length);
    open = source.find(opener, open + opener.length);
  }
  return close;
}

const closerOf = (source: Source, at: number, tag: Tag): string =>
  source.has(NOISE, source.space(at)) ? `${NOISE}</${tag.name}>` : `</${tag.name}>`;

/** The children of a text that holds nothing else; undefined for any other text. */
export function elements(text: string): { readonly key: string; readonly text: string }[] | undefined {
  const clean = text.replaceAll(NOISE, '');
  const found: { key: string; text: string }[] = [];
  let at = 0;
  ELEMENT.lastIndex = 0;
  for (;;) {
    ELEMENT.lastIndex = at;
    const match = ELEMENT.exec(clean);
    if (match?.[1] === undefined) break;
    const close = clean.indexOf(`</${match[1]}>`, ELEMENT.lastIndex);
    if (close < 0) return undefined;
    found.push({ key: match[1], text: stripped(clean.slice(ELEMENT.lastIndex, close)) });
    at = close + match[1].length + 3;
  }
  return found.length > 0 && clean.slice(at).trim() === '' ? found : undefined;
}

const ELEMENT = /\s*<([\p{L}_][\p{L}\p{N}_.-]*)>/uy;

/** Whether the children of an element are the items of a list. */
export function isList(children: readonly { readonly key: string }[]): boolean {
  const [first] = children;
  return (
    first !== undefined &&
    (first.key === 'item' || children.length > 1) &&
    children.every(({ key }) => key === first.key)
  );
}

/** A list of pairs as an object; of a repeated key a list. */
export function gather(pairs: readonly (readonly [string, Json])[]): Json {
  const found = new Map<string, Json[]>();
  for (const [key, value] of pairs) {
    const values = found.get(key);
    if (values) values.push(value);
    else found.set(key, [value]);
  }
  return Object.fromEntries([...found].map(([key, values]) => [key, values.length > 1 ? values : (values[0] ?? null)]));
}
