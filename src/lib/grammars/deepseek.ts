// DeepSeek V3, R1 and V3.1: special tokens around a name and JSON. https://huggingface.co/deepseek-ai/DeepSeek-V3.1
import { fenceAt } from './body.ts';
import { asArguments, valueAt } from './json.ts';
import { markupBody } from './markup.ts';
import type { Source } from './source.ts';
import { nextToken, skipTokens, tokenAt } from './tokens.ts';
import type { Grammar, Opening, Reading, Spoken } from './types.ts';
import { safeJson } from './write.ts';

const BEGIN = ['tool_call_begin'];
const END = ['tool_call_end'];
const SECTION_END = ['tool_calls_end', 'end_of_sentence'];
const SEPARATOR = ['tool_sep'];
const CLOSERS = ['<|tool_call_end|>', '<|tool_calls_end|>'];

interface Found {
  readonly spoken: Spoken;
  readonly end: number;
  readonly format: string;
}

type ReadOne = (source: Source, at: number) => Found | { readonly cut: number } | undefined;

/** A section of calls, or one without its section. A broken one is passed over. */
function readSection(source: Source, { at, opener, end }: Opening, one: ReadOne): Reading | undefined {
  const calls: Spoken[] = [];
  let last = opener === '<|tool_calls_begin|>' ? end : at;
  let format: string | undefined;
  for (;;) {
    const token = tokenAt(source, source.space(last));
    if (token === undefined || !BEGIN.includes(token.name)) break;
    const found = one(source, token.end);
    if (found && 'cut' in found)
      return { calls, end: calls.length > 0 ? last : source.text.length, cut: token.at, format };
    const close = found ? undefined : nextToken(source, [...END, ...BEGIN], token.end, 20_000);
    if (found === undefined && (close === undefined || (calls.length === 0 && !END.includes(close.name)))) break;
    if (found) calls.push(found.spoken);
    format ??= found?.format;
    last = found
      ? skipTokens(source, END, found.end)
      : END.includes(close?.name ?? '')
        ? (close?.end ?? last)
        : (close?.at ?? last);
  }
  return calls.length > 0 ? { calls, end: skipTokens(source, SECTION_END, last), format } : undefined;
}

/** `function<sep>name\n```json {…}``` ` (V3) or `name<sep>{…}` (V3.1). */
function readOne(source: Source, at: number): Found | { cut: number } | undefined {
  const separator = nextToken(source, SEPARATOR, at, 300);
  if (separator === undefined) return undefined;
  const first = source.text.slice(at, separator.at).trim();
  const after = source.space(separator.end);
  if (source.text[after] === '{' || source.text[after] === '`') return json(source, after, first, 'deepseek-v3.1');
  const lineEnd = source.find('\n', after);
  const brace = source.find('{', after);
  const fence = source.find('```', after);
  const ends = [lineEnd, brace, fence].filter((end) => end >= 0);
  if (ends.length === 0) return undefined;
  const end = Math.min(...ends);
  return json(source, source.space(end), source.text.slice(after, end).trim(), 'deepseek-v3');
}

function json(source: Source, at: number, name: string, format: string): Found | { cut: number } | undefined {
  if (name === '' || name.includes('<')) return undefined;
  const fenced = fenceAt(source, at);
  const start = fenced ?? (source.has('```', at) ? source.space(at + 3) : at);
  if (source.text[start] !== '{') return undefined;
  const found = valueAt(source, start, ['```', ...CLOSERS]);
  if ('type' in found) return found.type === 'cut' ? { cut: at } : undefined;
  const behind = source.space(found.end);
  const end = start !== at && source.has('```', behind) ? behind + 3 : found.end;
  const repairs = found.repair && [found.repair];
  return { spoken: { name, arguments: { type: 'json', value: asArguments(found.value) }, repairs }, end, format };
}

const section = (calls: string[]): string => `<｜tool▁calls▁begin｜>${calls.join('\n')}<｜tool▁calls▁end｜>`;

export const deepseekV3: Grammar = {
  name: 'deepseek-v3',
  summary: 'DeepSeek V3, R1, Cogito',
  openers: ['<|tool_calls_begin|>', '<|tool_call_begin|>'],
  delimited: true,
  read(source, opening) {
    const reading = readSection(source, opening, readOne);
    return reading?.format === 'deepseek-v3' ? reading : undefined;
  },
  write: (calls) =>
    section(
      calls.map(
        ({ name, input }) =>
          `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${safeJson(input)}\n\`\`\`<｜tool▁call▁end｜>`,
      ),
    ),
};

export const deepseekV31: Grammar = {
  name: 'deepseek-v3.1',
  summary: 'DeepSeek V3.1',
  openers: ['<|tool_calls_begin|>', '<|tool_call_begin|>'],
  delimited: true,
  read: (source, opening) => readSection(source, opening, readOne),
  write: (calls) =>
    section(
      calls.map(({ name, input }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${safeJson(input)}<｜tool▁call▁end｜>`),
    ),
};

/** Step-3: DeepSeek's tokens with underscores, and elements within. */
export const step3Section: Grammar = {
  name: 'step3',
  summary: 'Step-3',
  openers: ['<|tool_calls_begin|>', '<|tool_call_begin|>'],
  delimited: true,
  read: (source, opening) =>
    readSection(source, opening, (inner, at) => {
      const separator = nextToken(inner, SEPARATOR, at, 300);
      const found = separator && markupBody(inner, inner.space(separator.end), true);
      if (found?.space !== 'steptml') return undefined;
      const [spoken] = found.calls;
      return found.cut !== undefined ? { cut: found.cut } : spoken && { spoken, end: found.end, format: 'step3' };
    }),
};
