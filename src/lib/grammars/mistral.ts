// Mistral: a token, then a list of calls, or a name and JSON. https://docs.mistral.ai/guides/tokenization/
import { isObject } from '../json/values.ts';
import { asArguments, valueAt } from './json.ts';
import { jsonBody } from './json-body.ts';
import { nameAt, nameStart } from './literal.ts';
import type { Source } from './source.ts';
import { skipStray } from './stray.ts';
import type { Grammar, Opening, Reading, Spoken } from './types.ts';
import { safeJson } from './write.ts';

const TOKEN = '[TOOL_CALLS]';
const ARGS = '[ARGS]';
const CALL_ID = '[CALL_ID]';

function readArray(source: Source, { end }: Opening): Reading | undefined {
  const start = source.space(end);
  const found =
    source.text[start] === '[' || source.text[start] === '{'
      ? jsonBody(source, start, ['[/TOOL_CALLS]', '</s>'])
      : undefined;
  return found && { ...found, end: found.cut === undefined ? skipStray(source, found.end) : found.end };
}

/** `f[CALL_ID]id[ARGS]{…}`; the marks may be absent. */
function callAt(source: Source, at: number): { spoken: Spoken; end: number } | 'cut' | undefined {
  const start = source.space(at);
  const name = nameAt(source.text, start);
  if (name === '') return undefined;
  let end = source.space(start + name.length);
  let id: string | undefined;
  if (source.has(CALL_ID, end)) {
    id = /[\w-]*/y.exec(source.text.slice(end + CALL_ID.length, end + CALL_ID.length + 64))?.[0];
    end += CALL_ID.length + (id?.length ?? 0);
  }
  if (source.has(ARGS, end)) end = source.space(end + ARGS.length);
  if (source.text[end] !== '{') return undefined;
  const found = valueAt(source, end, [TOKEN, '</s>']);
  if ('type' in found) return found.type === 'cut' ? 'cut' : undefined;
  const value = asArguments(found.value);
  if (!isObject(value)) return undefined;
  const repairs = found.repair && [found.repair];
  return { spoken: { name, ...(id && { id }), arguments: { type: 'json', value }, repairs }, end: found.end };
}

function readNamed(source: Source, { at, end }: Opening): Reading | undefined {
  const found = callAt(source, end);
  if (found === 'cut') return { calls: [], end: source.text.length, cut: at };
  return found && { calls: [found.spoken], end: found.end };
}

export const mistralArray: Grammar = {
  name: 'mistral-array',
  summary: 'Mistral models up to the v7 tokenizer',
  openers: [TOKEN],
  delimited: true,
  read: readArray,
  write: (calls) =>
    `${TOKEN} [${calls
      .map(({ name, input, id }) =>
        safeJson({ name, arguments: input, ...(id !== undefined && /^[a-zA-Z0-9]{9}$/.test(id) && { id }) }),
      )
      .join(', ')}]`,
  writeResult: ({ id, text }) => `[TOOL_RESULTS]${safeJson({ call_id: id ?? null, content: text })}[/TOOL_RESULTS]`,
};

export const mistralV11: Grammar = {
  name: 'mistral-v11',
  summary: 'Mistral models since the v11 tokenizer, Devstral, Magistral, Ministral 3',
  openers: [TOKEN],
  delimited: true,
  read: readNamed,
  write: (calls) => calls.map(({ name, input }) => `${TOKEN}${name}${ARGS}${safeJson(input)}`).join(''),
};

/** The same without its token, which a server has taken out: only for tools that the conversation has. */
export const mistralBare: Grammar = {
  name: 'mistral-v11',
  summary: '',
  openers: [ARGS],
  delimited: false,
  read(source, { at }) {
    const start = wordBefore(source, at);
    const found = start === undefined ? undefined : callAt(source, start);
    return found && found !== 'cut' ? { calls: [found.spoken], end: found.end, start, advertised: true } : undefined;
  },
};

/** Where the name before `at` begins, past an id. */
function wordBefore(source: Source, at: number): number | undefined {
  const from = Math.max(0, at - 80);
  const mark = from + source.flat.slice(from, at).lastIndexOf(CALL_ID);
  const to = mark >= from && /^[\w-]*$/.test(source.text.slice(mark + CALL_ID.length, at)) ? mark : at;
  const start = nameStart(source.text, to);
  return start < to ? start : undefined;
}
