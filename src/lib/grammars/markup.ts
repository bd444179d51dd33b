// Calls as elements: `<function=f>…</function>`, `<invoke name="f">…</invoke>`, in any namespace.
import { isObject } from '../json/values.ts';
import type { Body } from './body.ts';
import { asArguments, valueAt } from './json.ts';
import { isParameter, type Parameters, readParameters } from './parameter.ts';
import { Schema } from './schema.ts';
import type { Source, Tag } from './source.ts';
import { attributesOf, nameOf, tagAt } from './tag.ts';
import { type Arguments, MOST_CALLS, type Repair, type Spoken } from './types.ts';
import { childrenAt } from './xml.ts';

const CALLS = new Set(['function', 'invoke', 'function_call']);

/** The tag of a call at `at`, and the name it gives; undefined if none begins there. */
function callTag(
  source: Source,
  at: number,
): { tag: Pick<Tag, 'name' | 'space' | 'end' | 'respelled'>; name: string; open: boolean } | undefined {
  const tag = source.text[at] === '<' ? tagAt(source, at) : undefined;
  if (tag && CALLS.has(tag.name) && !tag.closes) {
    const name = nameOf(tag);
    if (name !== undefined) return { tag, name: unquoted(name, tag), open: !tag.empty };
    return childName(source, tag);
  }
  return tag ? undefined : unfinishedTag(source, at);
}

const unquoted = (name: string, tag: Tag): string => (attributesOf(tag).has('name') ? name.trim() : name);

/** `<function=f` whose `>` is missing: the name runs to the end of the line. */
function unfinishedTag(source: Source, at: number) {
  UNFINISHED.lastIndex = at;
  const match = UNFINISHED.exec(source.flat);
  if (match?.[1] === undefined) return undefined;
  return {
    tag: { name: 'function', space: '', end: UNFINISHED.lastIndex, respelled: true },
    name: match[1],
    open: true,
  };
}

const UNFINISHED = /<function=([^\s<>=]{1,100})\s*(?=<parameter)/y;

/** The name in an element of its own: `<function><name>f</name>`, `<invoke><tool_name>f</tool_name>`. */
function childName(source: Source, tag: Tag) {
  NAME_CHILD.lastIndex = tag.end;
  const match = NAME_CHILD.exec(source.flat);
  if (match?.[2] === undefined) return undefined;
  return { tag: { ...tag, end: NAME_CHILD.lastIndex }, name: match[2].trim(), open: true };
}

const NAME_CHILD = /\s*<(tool_name|name|function_name)>([^<>]{1,200})<\/\1>/y;

export interface Element extends Body {
  readonly space: string;
  readonly tag: string;
}

/** Reads the elements of calls from `at` on. `wrapped`: they stand in a wrapper, so that one without parameters needs no closing tag. */
export function markupBody(source: Source, at: number, wrapped: boolean): Element | undefined {
  const calls: Spoken[] = [];
  let space = '';
  let name = '';
  let end = at;
  for (;;) {
    const start = source.space(end);
    const opening = callTag(source, start);
    if (opening === undefined || calls.length >= MOST_CALLS) break;
    const one = oneCall(source, start, opening, wrapped);
    if (one === undefined) break;
    if (calls.length === 0) ({ space, name } = opening.tag);
    for (const call of one.calls) calls.push(call);
    end = one.end;
    if (one.cut !== undefined) return { calls, end: calls.length > 0 ? start : end, cut: one.cut, space, tag: name };
  }
  return calls.length > 0 ? { calls, end, space, tag: name } : undefined;
}

function oneCall(
  source: Source,
  start: number,
  { tag, name, open }: { tag: Pick<Tag, 'name' | 'end' | 'respelled'>; name: string; open: boolean },
  wrapped: boolean,
): Body | undefined {
  if (name.trim() === '') return undefined;
  const marks: Repair[] = tag.respelled ? ['special token respelled'] : [];
  if (!open) return { calls: [{ name, arguments: { type: 'json', value: {} }, repairs: marks }], end: tag.end };
  const json = jsonArguments(source, tag.end);
  const spoken = (given: Arguments, repairs: readonly Repair[]): Spoken => ({
    name,
    arguments: given,
    repairs: [...marks, ...repairs],
  });
  if (json) return finish(source, json.end, wrapped, (repairs) => spoken(json.given, repairs));
  const found = parametersOf(source, tag.end, name);
  if (found.cut !== undefined) {
    const salvaged = found.repairs.includes('arguments cut off');
    return {
      calls: salvaged ? [spoken({ type: 'texts', entries: found.entries }, found.repairs)] : [],
      end: found.end,
      cut: start,
    };
  }
  const given: Arguments = { type: 'texts', entries: found.entries };
  return finish(source, found.end, wrapped || found.entries.length > 0, (repairs) =>
    spoken(given, [...found.repairs, ...repairs]),
  );
}

function parametersOf(source: Source, at: number, name: string): Parameters {
  const resolved = source.tools.resolve(name)?.name ?? name;
  const keys = new Set(new Schema(source.tools.schema(resolved)).keys());
  const start = source.space(at);
  const tag = source.text[start] === '<' ? tagAt(source, start) : undefined;
  if (tag && isParameter(tag)) return readParameters(source, at, keys);
  if (tag && !tag.closes && (tag.name === 'params' || tag.name === 'parameters')) {
    const inner = source.space(tag.end);
    const first = source.text[inner] === '<' ? tagAt(source, inner) : undefined;
    if (first && isParameter(first)) {
      const found = readParameters(source, inner, keys);
      const close = `</${tag.name}>`;
      const end = source.space(found.end);
      return source.has(close, end) ? { ...found, end: end + close.length } : found;
    }
  }
  return childrenAt(source, at, tag) ?? { entries: [], end: at, repairs: [] };
}

/** The arguments as one JSON object instead of parameters. */
function jsonArguments(source: Source, at: number): { given: Arguments; end: number } | undefined {
  const start = source.space(at);
  if (source.text[start] !== '{') return undefined;
  const found = valueAt(source, start, ['</function>', '</invoke>']);
  if ('type' in found) return undefined;
  const value = asArguments(found.value);
  const inner =
    isObject(value) && Object.keys(value).length === 1 && isObject(value.arguments) ? value.arguments : value;
  return { given: { type: 'json', value: inner }, end: found.end };
}

/** The closing tag, past what does not belong there. */
function finish(
  source: Source,
  at: number,
  lenient: boolean,
  call: (repairs: readonly Repair[]) => Spoken,
): Body | undefined {
  const close = source.space(at);
  const tag = source.text[close] === '<' ? tagAt(source, close) : undefined;
  if (tag?.closes && CALLS.has(tag.name)) return { calls: [call([])], end: tag.end };
  const next = nextClosing(source, at);
  if (next !== undefined) return { calls: [call([])], end: next };
  return lenient ? { calls: [call(['closing tag missing'])], end: at } : undefined;
}

/** The end of the call's element where text stands before it that is no parameter. */
function nextClosing(source: Source, at: number): number | undefined {
  const from = source.flat.indexOf('<', at);
  const tag = from < 0 || from > at + 2000 ? undefined : tagAt(source, from);
  return tag?.closes && CALLS.has(tag.name) ? tag.end : undefined;
}
