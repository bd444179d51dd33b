// MiniMax M3: every tag behind a mark of noise, arguments as nested elements.
import { isObject, type Json } from '../ir/json.ts';
import type { Source } from './source.ts';
import { tagAt, nameOf } from './tag.ts';
import type { Grammar, Opening, Reading, Spoken } from './types.ts';
import { childrenAt, NOISE } from './xml.ts';

/** The tag behind the noise at `at`. */
function noisyTag(source: Source, at: number) {
  const start = source.space(at);
  return source.has(NOISE, start) && source.text[start + NOISE.length] === '<' ? tagAt(source, start + NOISE.length) : undefined;
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
    const first = noisyTag(source, tag.end);
    const given = first && !first.closes ? childrenAt(source, tag.end, first) : { entries: [], end: tag.end };
    const close = given && noisyTag(source, given.end);
    if (name === '' || given === undefined) break;
    if (!close?.closes && close?.name !== 'invoke') return { calls, end: calls.length > 0 ? end : source.text.length, cut: start };
    calls.push({ name, arguments: { type: 'texts', entries: given.entries } });
    end = close.closes ? close.end : given.end;
  }
  const close = noisyTag(source, end);
  return calls.length > 0 ? { calls, end: close?.closes ? close.end : end } : undefined;
}

function element(key: string, value: Json): string {
  const inner = Array.isArray(value)
    ? value.map((item) => element('item', item)).join('')
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => element(name, item ?? null)).join('')
      : String(value);
  return `${NOISE}<${key}>${inner}${NOISE}</${key}>`;
}

export const minimaxM3: Grammar = {
  name: 'minimax-m3',
  summary: 'MiniMax M3',
  openers: [NOISE],
  delimited: true,
  read,
  write: (calls) =>
    `${NOISE}<tool_call>\n${calls
      .map(({ name, input }) => {
        const entries = Object.entries(input).map(([key, value]) => element(key, value ?? null));
        return `${NOISE}<invoke name="${name}">${entries.join('')}${NOISE}</invoke>\n`;
      })
      .join('')}${NOISE}</tool_call>`,
};
