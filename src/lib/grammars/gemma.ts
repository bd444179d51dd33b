// Gemma: `call:f{k:<|"|>v<|"|>}` in Gemma's own syntax. https://ai.google.dev/gemma/docs/functiongemma
import { isObject, type Json } from '../json/values.ts';
import { type Body, wrapped } from './body.ts';
import { readGemmaObject } from './gemma-value.ts';
import { nameAt } from './literal.ts';
import type { Source } from './source.ts';
import type { Grammar, Repair, Spoken, Written } from './types.ts';

const CALL = 'call:';

/** One or more `call:f{…}`. A namespace before the name is the library of tools. */
export function gemmaBody(source: Source, at: number, closers: readonly string[]): Body | undefined {
  const calls: Spoken[] = [];
  let end = at;
  for (;;) {
    const start = source.space(end);
    if (!source.has(CALL, start)) break;
    const found = one(source, start + CALL.length, closers);
    if (found === 'cut') return { calls, end: calls.length > 0 ? end : source.text.length, cut: start };
    if (found === undefined) break;
    calls.push(found.spoken);
    ({ end } = found);
  }
  return calls.length > 0 ? { calls, end } : undefined;
}

function one(
  source: Source,
  at: number,
  closers: readonly string[],
): { spoken: Spoken; end: number } | 'cut' | undefined {
  const from = source.space(at);
  const word = nameAt(source.text, from);
  const namespace = source.text[from + word.length] === ':' ? from + word.length + 1 : from;
  const name = namespace === from ? word : nameAt(source.text, namespace);
  const brace = source.space(namespace + name.length);
  if (name === '' || source.text[brace] !== '{') return undefined;
  const found = readGemmaObject(source, brace, closers);
  if (found === 'cut' || found === undefined) return found;
  const repairs: Repair[] = found.mended ? ['JSON mended'] : [];
  return { spoken: { name, arguments: { type: 'json', value: found.value }, repairs }, end: found.end };
}

/** A value in Gemma's syntax. A string that holds the mark is written as JSON. */
function gemmaValue(value: Json, mark: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => gemmaValue(item, mark)).join(',')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, inner]) => `${gemmaKey(key, mark)}:${gemmaValue(inner ?? null, mark)}`)
      .join(',')}}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return gemmaString(value, mark);
}

function gemmaString(value: string, mark: string): string {
  if (!value.includes(mark) && !/<\|?\/?(?:tool_call|end_function|escape|"\|)/.test(value))
    return `${mark}${value}${mark}`;
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

const gemmaKey = (key: string, mark: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key) ? key : gemmaString(key, mark);

const writer = (open: string, close: string, mark: string) => (calls: readonly Written[]) =>
  calls.map(({ name, input }) => `${open}${CALL}${name}${gemmaValue(input, mark)}${close}`).join('');

export const functionGemma: Grammar = wrapped({
  name: 'functiongemma',
  summary: 'FunctionGemma',
  openers: ['<start_function_call>'],
  closers: ['<end_function_call>'],
  body: gemmaBody,
  write: writer('<start_function_call>', '<end_function_call>', '<escape>'),
});

export const gemma4: Grammar = wrapped({
  name: 'gemma4',
  summary: 'Gemma 4',
  openers: ['<|tool_call>'],
  closers: ['<tool_call|>', '<|tool_response>'],
  body: gemmaBody,
  write: writer('<|tool_call>', '<tool_call|>', '<|"|>'),
});

/** The same without marks, as Gemini leaks it. */
export const geminiLeak: Grammar = {
  name: 'gemini-call-leak',
  summary: 'Gemini, where its form leaks into the text',
  openers: [CALL],
  delimited: false,
  read: (source, { at }) => (source.startsLine(at) ? gemmaBody(source, at, []) : undefined),
};
