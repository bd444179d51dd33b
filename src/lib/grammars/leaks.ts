// What leaks out of prompts and proxies: calls between pipes, under bold labels, and behind "Args".
import { asArguments, valueAt } from './json.ts';
import { nameAt } from './literal.ts';
import { Schema } from './schema.ts';
import type { Grammar, TextArgument } from './types.ts';

/** `|tool| f |k| v |/tool|`. */
export const pipes: Grammar = {
  name: 'pipe-delimited',
  summary: 'seen in leaks',
  openers: ['|tool|'],
  delimited: false,
  read(source, { at, end }) {
    const close = source.find('|/tool|', end);
    if (close < 0 || close - end > 20_000) return undefined;
    const [name = '', ...pieces] = source.text
      .slice(end, close)
      .split('|')
      .map((piece) => piece.trim());
    if (name === '' || pieces.length % 2 !== 0) return undefined;
    const entries = pieces.flatMap((key, i) => (i % 2 === 0 ? [{ key, text: pieces[i + 1] ?? '' }] : []));
    return {
      calls: [{ name, arguments: { type: 'texts', entries } }],
      start: at,
      end: close + '|/tool|'.length,
      advertised: true,
    };
  },
};

/** `**Tool:** f` and `**Key:** v` on the lines below. */
export const boldKeys: Grammar = {
  name: 'markdown-bold',
  summary: 'seen in leaks',
  openers: ['**Tool:**'],
  delimited: false,
  read(source, { at, end }) {
    const [first = ''] = source.text.slice(end, end + 200).split('\n', 1);
    const name = first.trim().replace(/^`|`$/g, '');
    const tool = source.startsLine(at) ? source.tools.resolve(name)?.tool : undefined;
    if (tool === undefined || !source.spend(4000)) return undefined;
    const lines = source.text.slice(end, end + 4000).split('\n');
    const keys = new Schema(tool.schema).keys();
    const entries: TextArgument[] = [];
    let last = end + (lines[0]?.length ?? 0);
    for (const line of lines.slice(1)) {
      const [, label = '', text = ''] = /^\s*\*\*([\w -]{1,60}):\*\*\s*(.*?)\s*$/.exec(line) ?? [];
      const key = keys.find((candidate) => candidate.toLowerCase() === label.toLowerCase().replace(/[ -]/g, '_'));
      if (key === undefined) break;
      entries.push({ key, text });
      last += line.length + 1;
    }
    return { calls: [{ name, arguments: { type: 'texts', entries } }], end: last, advertised: true };
  },
};

/** `: Bash Args :{"command":"…"}`. */
export const argsLeak: Grammar = {
  name: 'args-leak',
  summary: 'seen in proxies and terminals',
  openers: [': '],
  delimited: false,
  read(source, { at, end }) {
    const name = nameAt(source.text, end);
    const mark = / Args ?: ?/y;
    mark.lastIndex = end + name.length;
    if (name === '' || !mark.test(source.text) || source.text[mark.lastIndex] !== '{') return undefined;
    const found = valueAt(source, mark.lastIndex, []);
    if ('type' in found) return undefined;
    return {
      calls: [{ name, arguments: { type: 'json', value: asArguments(found.value) } }],
      start: at,
      end: found.end,
      advertised: true,
    };
  },
};
