// Kimi K2: an id that holds the name, and JSON. https://huggingface.co/moonshotai/Kimi-K2-Instruct/blob/main/docs/tool_call_guidance.md
import { isObject } from '../json/values.ts';
import { asArguments, valueAt } from './json.ts';
import type { Source } from './source.ts';
import { nextToken, skipTokens, tokenAt } from './tokens.ts';
import type { Grammar, Opening, Reading, Spoken } from './types.ts';
import { safeJson } from './write.ts';

const SECTION = ['tool_calls_section_begin', 'tool_call_section_begin'];
const SECTION_END = ['tool_calls_section_end', 'tool_call_section_end'];

function read(source: Source, { at }: Opening): Reading | undefined {
  const calls: Spoken[] = [];
  let last = skipTokens(source, SECTION, at);
  for (;;) {
    const token = tokenAt(source, source.space(last));
    if (token?.name !== 'tool_call_begin') break;
    const argument = nextToken(source, ['tool_call_argument_begin', 'tool_call_end'], token.end, 400);
    if (argument?.name !== 'tool_call_argument_begin') break;
    const found = readOne(source, source.text.slice(token.end, argument.at).trim(), argument.end);
    if (found === 'cut') return { calls, end: calls.length > 0 ? last : source.text.length, cut: token.at };
    const close = found ? undefined : nextToken(source, ['tool_call_end'], argument.end, 20_000);
    if (found === undefined && close === undefined) break;
    if (found?.spoken) calls.push(found.spoken);
    last = found ? skipTokens(source, ['tool_call_end'], found.end) : (close?.end ?? last);
  }
  return calls.length > 0 ? { calls, end: skipTokens(source, SECTION_END, last) } : undefined;
}

function readOne(
  source: Source,
  id: string,
  at: number,
): { spoken: Spoken | undefined; end: number } | 'cut' | undefined {
  const start = source.space(at);
  const token = tokenAt(source, start);
  if (token?.name === 'tool_call_end') return { spoken: named(source, id, {}), end: start };
  if (source.text[start] !== '{') return undefined;
  const found = valueAt(source, start, ['<|tool_call_end|>', '<|tool_calls_section_end|>']);
  if ('type' in found) return found.type === 'cut' ? 'cut' : undefined;
  const spoken = named(source, id, asArguments(found.value));
  return { spoken: spoken && { ...spoken, repairs: found.repair ? [found.repair] : [] }, end: found.end };
}

/** The name out of `functions.NAME:3`. An id without a name (`call_00003`) is the call of the only tool that the arguments fit. */
function named(source: Source, id: string, input: ReturnType<typeof asArguments>): Spoken | undefined {
  const given = { type: 'json', value: input } as const;
  const full = /^functions?\.(.+):\d+$/s.exec(id)?.[1];
  if (full !== undefined) return { name: full, id, arguments: given };
  const name = id.replace(/^functions?\./, '').replace(/[:.]\d+$/, '');
  if (
    /^(?:call|chatcmpl-tool|toolu|tool_call)[_-]?[\w-]*$/.test(name) &&
    source.tools.resolve(name)?.tool === undefined
  ) {
    const fitting = source.tools.byKeys(isObject(input) ? Object.keys(input) : []);
    return { name: fitting ?? id, id, arguments: given };
  }
  return name === '' ? undefined : { name, arguments: given };
}

export const kimi: Grammar = {
  name: 'kimi-k2',
  summary: 'Kimi K2 and K2.5',
  openers: [...SECTION, 'tool_call_begin'].map((name) => `<|${name}|>`),
  delimited: true,
  read,
  write: (calls) =>
    `<|tool_calls_section_begin|>${calls
      .map(
        ({ name, input, id }, index) =>
          `<|tool_call_begin|>${id?.startsWith(`functions.${name}:`) ? id : `functions.${name}:${index}`}<|tool_call_argument_begin|>${safeJson(input)}<|tool_call_end|>`,
      )
      .join('')}<|tool_calls_section_end|>`,
  writeResult: ({ name, id, text }) => `## Return of ${id ?? name}\n${text}`,
};
