// Kimi K3: `<|open|>call tool="f" index="1"<|sep|>…<|close|>call<|sep|>`, arguments with their types.
import type { Source } from './source.ts';
import type { Grammar, Opening, Reading, Spoken, TextArgument, Written } from './types.ts';
import { asText, safeJson } from './write.ts';

const OPEN = '<|open|>';
const CLOSE = '<|close|>';
const SEP = '<|sep|>';

/** The element that opens at `at`, with its attributes, and where its content begins. */
function elementAt(source: Source, at: number): { name: string; attributes: string; from: number } | undefined {
  if (!source.has(OPEN, at)) return undefined;
  const sep = source.find(SEP, at);
  if (sep < 0 || sep - at > 1000) return undefined;
  const [, name = '', attributes = ''] = /^\s*(\w+)(.*)$/s.exec(source.text.slice(at + OPEN.length, sep)) ?? [];
  return name === '' ? undefined : { name, attributes, from: sep + SEP.length };
}

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];

/** Behind the closing mark of an element at `at`; `at` where there is none. */
function behindClose(source: Source, name: string, at: number): number {
  const start = source.space(at);
  const mark = `${CLOSE}${name}${SEP}`;
  return source.has(mark, start) ? start + mark.length : at;
}

function read(source: Source, { at }: Opening): Reading | undefined {
  const outer = elementAt(source, at);
  if (outer?.name !== 'tools' && outer?.name !== 'call') return undefined;
  const calls: Spoken[] = [];
  let end = outer.name === 'tools' ? outer.from : at;
  for (;;) {
    const start = source.space(end);
    const element = elementAt(source, start);
    const name = element?.name === 'call' ? attribute(element.attributes, 'tool') : undefined;
    if (element === undefined || name === undefined) break;
    const found = readArguments(source, element.from);
    if (found === 'cut') return { calls, end: calls.length > 0 ? end : source.text.length, cut: start };
    calls.push({ name, arguments: { type: 'texts', entries: found.entries } });
    end = behindClose(source, 'call', found.end);
  }
  return calls.length > 0 ? { calls, end: behindClose(source, 'tools', end) } : undefined;
}

function readArguments(source: Source, at: number): { entries: TextArgument[]; end: number } | 'cut' {
  const entries: TextArgument[] = [];
  let end = at;
  for (;;) {
    const element = elementAt(source, source.space(end));
    const key = element?.name === 'argument' ? attribute(element.attributes, 'key') : undefined;
    if (element === undefined || key === undefined) return { entries, end };
    const mark = `${CLOSE}argument${SEP}`;
    const close = source.find(mark, element.from);
    if (close < 0) return 'cut';
    const type = attribute(element.attributes, 'type') === 'string' ? 'string' : 'json';
    entries.push({ key: decode(key), text: source.text.slice(element.from, close), type });
    end = close + mark.length;
  }
}

const decode = (key: string): string => key.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const encode = (key: string): string => key.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function write(calls: readonly Written[]): string {
  const written = calls.map(({ name, input }, index) => {
    const entries = Object.entries(input).map(([key, value]) => {
      const open = (type: string) => `${OPEN}argument key="${encode(key)}" type="${type}"${SEP}`;
      // A string that holds the marks is written as JSON, which escapes them.
      const quoted = typeof value === 'string' && value.includes('<|');
      const text = quoted ? safeJson(value) : asText(value as never);
      return `${open(quoted ? 'json' : typeOf(value))}${text}${CLOSE}argument${SEP}`;
    });
    return `${OPEN}call tool="${name}" index="${index + 1}"${SEP}${entries.join('')}${CLOSE}call${SEP}`;
  });
  return `${OPEN}tools${SEP}${written.join('')}${CLOSE}tools${SEP}`;
}

export const kimiK3: Grammar = {
  name: 'kimi-k3',
  summary: 'Kimi K3',
  openers: [OPEN],
  delimited: true,
  read,
  write,
};
