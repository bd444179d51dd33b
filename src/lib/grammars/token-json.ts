// Formats of a name and JSON between tokens: Harmony (gpt-oss), Inkling, PLaMo, Functionary 3.2, CWM, Qwen-Agent.
import { isObject, type Json } from '../json/values.ts';
import { asArguments, valueAt } from './json.ts';
import type { Source } from './source.ts';
import { skipTokens, tokenAt } from './tokens.ts';
import type { Grammar, Reading, Repair, Spoken, Written } from './types.ts';
import { safeJson } from './write.ts';

/** A name and the JSON at `at`. */
export function namedJson(
  source: Source,
  name: string,
  at: number,
  closers: readonly string[],
): { spoken: Spoken; end: number } | 'cut' | undefined {
  const start = source.space(at);
  if (source.text[start] !== '{') return undefined;
  const found = valueAt(source, start, closers);
  if ('type' in found) return found.type === 'cut' ? 'cut' : undefined;
  const repairs: Repair[] | undefined = found.repair && [found.repair];
  return { spoken: { name, arguments: { type: 'json', value: asArguments(found.value) }, repairs }, end: found.end };
}

function reading(source: Source, at: number, found: ReturnType<typeof namedJson>): Reading | undefined {
  if (found === 'cut') return { calls: [], end: source.text.length, cut: at };
  return found && { calls: [found.spoken], end: found.end };
}

const perCall =
  (write: (call: Written) => string, between = '\n') =>
  (calls: readonly Written[]) =>
    calls.map(write).join(between);

const SECTION = ['plamo:begin_tool_requests:plamo', 'plamo:begin_tool_request:plamo', 'plamo:begin_tool_name:plamo'];
const SECTION_END = ['plamo:end_tool_arguments:plamo', 'plamo:end_tool_request:plamo', 'plamo:end_tool_requests:plamo'];
const BEFORE_ARGUMENTS = [
  'plamo:end_tool_name:plamo',
  'plamo:begin_tool_arguments:plamo',
  'plamo:constrain',
  'plamo:msg',
];

export const plamo: Grammar = {
  name: 'plamo3',
  summary: 'PLaMo 3',
  openers: SECTION.map((name) => `<|${name}|>`),
  delimited: true,
  read(source, { at }) {
    const calls: Spoken[] = [];
    let end = at;
    for (;;) {
      const from = skipTokens(source, SECTION, end);
      const stop = source.find('<', from);
      const name = stop < 0 || from === end ? '' : source.text.slice(from, stop).trim();
      if (name === '' || tokenAt(source, stop)?.name !== BEFORE_ARGUMENTS[0]) break;
      let start = skipTokens(source, BEFORE_ARGUMENTS, stop);
      if (source.has('json', start)) start = skipTokens(source, BEFORE_ARGUMENTS, start + 4);
      const found = namedJson(source, name, start, ['<|plamo:end_tool_arguments:plamo|>']);
      if (found === 'cut') return { calls, end: calls.length > 0 ? end : source.text.length, cut: from };
      if (found === undefined) break;
      calls.push(found.spoken);
      end = skipTokens(source, SECTION_END, found.end);
    }
    return calls.length > 0 ? { calls, end: skipTokens(source, SECTION_END, end) } : undefined;
  },
  write: (calls) =>
    `<|plamo:begin_tool_requests:plamo|>${calls
      .map(
        ({ name, input }) =>
          `<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>${name}<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>${safeJson(input)}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>`,
      )
      .join('')}<|plamo:end_tool_requests:plamo|>`,
};

const INKLING_JSON = '<|content_invoke_tool_json|>';

export const inkling: Grammar = {
  name: 'inkling',
  summary: 'Inkling',
  openers: ['<|message_model|>', INKLING_JSON],
  delimited: true,
  read(source, { at, end }) {
    const mark = source.find(INKLING_JSON, at);
    if (mark < 0 || (mark !== at && (mark - end > 200 || source.text.slice(end, mark).includes('<')))) return undefined;
    const header = mark === at ? '' : source.text.slice(end, mark).trim();
    const found = namedJson(source, header, mark + INKLING_JSON.length, ['<|end_message|>']);
    if (found === undefined || found === 'cut') return reading(source, at, found);
    const { arguments: given } = found.spoken;
    const value = given.type === 'json' && isObject(given.value) ? given.value : {};
    const name = typeof value.name === 'string' ? value.name : header;
    const input = value.args ?? value.arguments ?? (typeof value.name === 'string' ? {} : value);
    return name === ''
      ? undefined
      : { calls: [{ ...found.spoken, name, arguments: { type: 'json', value: input as Json } }], end: found.end };
  },
  write: perCall(
    ({ name, input }) => `<|message_model|>${name}${INKLING_JSON}${safeJson({ name, args: input })}<|end_message|>`,
    '',
  ),
};

export const functionary32: Grammar = {
  name: 'functionary-v3.2',
  summary: 'Functionary 3.2',
  openers: ['>>>'],
  delimited: true,
  read(source, { at, end }) {
    const [, name = ''] = /^([^\s{}<>]{1,200})\n/.exec(source.text.slice(end, end + 202)) ?? [];
    if (name === '' || name === 'all' || !source.startsLine(at)) return undefined;
    const body = end + name.length + 1;
    const found = namedJson(source, name, body, ['>>>']);
    if (found !== undefined || name !== 'python') return reading(source, at, found);
    const next = source.find('>>>', body);
    const stop = next < 0 ? source.text.length : next;
    return {
      calls: [{ name, arguments: { type: 'raw', text: source.text.slice(body, stop).trim(), key: 'code' } }],
      end: stop,
    };
  },
  write: perCall(({ name, input }) => `>>>${name}\n${safeJson(input)}`),
};

export const cwm: Grammar = {
  name: 'cwm',
  summary: 'Meta CWM',
  openers: ['<tool: '],
  delimited: true,
  read(source, { at }) {
    const [opener, name = ''] = /^<tool: ?([\w.-]{1,100})(?:>\n?|\s)/.exec(source.text.slice(at, at + 120)) ?? [];
    if (opener === undefined || name === '') return undefined;
    const close = source.find('</tool>', at);
    if (close < 0) return { calls: [], end: source.text.length, cut: at };
    const text = source.text.slice(at + opener.length, close).replace(/\s+$/, '');
    return { calls: [{ name, arguments: { type: 'raw', text, key: 'command' } }], end: close + '</tool>'.length };
  },
};

export const qwenAgent: Grammar = {
  name: 'qwen-agent',
  summary: 'Qwen 1.5 and 2, Qwen-Agent',
  openers: ['✿FUNCTION✿'],
  delimited: true,
  read(source, { at, end }) {
    const header = /^[:：]?[ \t]*([^\n✿]{1,200}?)\s*\n?\s*✿ARGS✿[:：]?\s*/u.exec(source.text.slice(end, end + 300));
    if (header?.[1] === undefined) return undefined;
    const found = namedJson(source, header[1], end + header[0].length, ['✿RESULT✿', '✿FUNCTION✿']);
    if (found === undefined || found === 'cut') return reading(source, at, found);
    const result = source.space(found.end);
    return { calls: [found.spoken], end: source.has('✿RESULT✿', result) ? afterResult(source, result) : found.end };
  },
  write: (calls) =>
    `${calls.map(({ name, input }) => `✿FUNCTION✿: ${name}\n✿ARGS✿: ${safeJson(input)}`).join('\n')}\n✿RESULT✿`,
  writeResult: ({ text }) => `✿RESULT✿: ${text}`,
};

function afterResult(source: Source, at: number): number {
  const end = at + '✿RESULT✿'.length;
  return source.text[end] === ':' ? end + 1 : end;
}
