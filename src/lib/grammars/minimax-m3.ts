// MiniMax M3: every tag behind a mark of noise, arguments as nested elements.
import { isObject, type Json } from '../json/values.ts';
import { asArguments, valueAt } from './json.ts';
import { Source } from './source.ts';
import { nameOf, tagAt } from './tag.ts';
import type { Toolset } from './toolset.ts';
import type { Grammar, Opening, Reading, Spoken, Written } from './types.ts';
import { isSame, safeJson } from './write.ts';
import { childrenAt, NOISE } from './xml.ts';

/** The tag behind the noise at `at`. */
function noisyTag(source: Source, at: number) {
  const start = source.space(at);
  return source.has(NOISE, start) && source.text[start + NOISE.length] === '<'
    ? tagAt(source, start + NOISE.length)
    : undefined;
}

function read(source: Source, { at }: Opening): Reading | undefined {
  const outer = noisyTag(source, at);
  if (outer === undefined || outer.closes) return undefined;
  const calls: Spoken[] = [];
  let end = outer.name === 'tool_call' ? outer.end : at;
  for (;;) {
    const tag = noisyTag(source, end);
    if (tag === undefined || tag.name !== 'invoke' || tag.closes) break;
    const start = source.space(end);
    const name = nameOf(tag)?.trim() ?? '';
    const given = argumentsAt(source, tag.end);
    const close = given && noisyTag(source, given.end);
    if (name === '' || given === undefined) break;
    if (!close?.closes && close?.name !== 'invoke')
      return { calls, end: calls.length > 0 ? end : source.text.length, cut: start };
    calls.push({ name, arguments: given.given });
    end = close.closes ? close.end : given.end;
  }
  const close = noisyTag(source, end);
  return calls.length > 0 ? { calls, end: close?.closes ? close.end : end } : undefined;
}

/** Elements, or JSON in their place. */
function argumentsAt(source: Source, at: number): { given: Spoken['arguments']; end: number } | undefined {
  const start = source.space(at);
  if (source.text[start] === '{') {
    const found = valueAt(source, start, [`${NOISE}</invoke>`]);
    return 'type' in found ? undefined : { given: { type: 'json', value: asArguments(found.value) }, end: found.end };
  }
  const first = noisyTag(source, at);
  if (first === undefined || first.closes) return { given: { type: 'json', value: {} }, end: at };
  const children = childrenAt(source, at, first);
  return children && { given: { type: 'texts', entries: children.entries }, end: children.end };
}

function writeCall(call: Written, tools: Toolset): string {
  const entries = Object.entries(call.input).map(([key, value]) => element(key, value ?? null));
  const open = `${NOISE}<invoke name="${call.name}">`;
  const read = argumentsAt(new Source(entries.join(''), tools), 0);
  const same = read && isSame({ name: call.name, arguments: read.given }, call, tools);
  return `${open}${same ? entries.join('') : safeJson(call.input)}${NOISE}</invoke>\n`;
}

function element(key: string, value: Json): string {
  const inner = Array.isArray(value)
    ? value.map((item) => element('item', item)).join('')
    : isObject(value)
      ? Object.entries(value)
          .map(([name, item]) => element(name, item ?? null))
          .join('')
      : String(value);
  return `${NOISE}<${key}>${inner}${NOISE}</${key}>`;
}

export const minimaxM3: Grammar = {
  name: 'minimax-m3',
  summary: 'MiniMax M3',
  openers: [NOISE],
  delimited: true,
  read,
  write: (calls, tools) =>
    `${NOISE}<tool_call>\n${calls.map((call) => writeCall(call, tools)).join('')}${NOISE}</tool_call>`,
};
