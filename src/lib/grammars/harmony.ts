// Harmony, the format of gpt-oss: a header with a recipient, and JSON. https://cookbook.openai.com/articles/openai-harmony
import type { Source } from './source.ts';
import { namedJson } from './token-json.ts';
import type { Grammar, Opening, Reading } from './types.ts';
import { safeJson } from './write.ts';

/** Headers are shorter than this. */
const LONGEST = 400;

const TOKEN = /<\|(start|channel|constrain|message|call|end)\|>/g;

/** Recipients that are tools of the runtime, not of the conversation. */
const BUILT_IN = /^(?:browser|container)\./;

function read(source: Source, { at }: Opening): Reading | undefined {
  const brace = source.find('{', at);
  if (brace < 0 || brace - at > LONGEST || !source.spend(brace - at)) return undefined;
  const header = source.flat.slice(at, brace);
  const name = recipient(header);
  if (
    name === undefined ||
    !isHeader(header) ||
    (BUILT_IN.test(name) && source.tools.resolve(name)?.tool === undefined)
  )
    return undefined;
  const start = before(source, at);
  const found = namedJson(source, name, brace, ['<|call|>', '<|end|>']);
  if (found === 'cut') return { calls: [], end: source.text.length, cut: start };
  return found && { calls: [found.spoken], end: found.end, start };
}

/** The tool that a header is addressed to, without the namespace of functions. */
function recipient(header: string): string | undefined {
  const [, found] = /\bto=\s*([^\s<{]+)/.exec(header) ?? [];
  return found
    ?.replace(/^(?:functions?|tools?)[.:]/, '')
    .replace(/(?:json|code)$/, (word) => (header.includes('<|') ? word : ''));
}

/** Whether nothing but a header's words stands there. */
function isHeader(header: string): boolean {
  const rest = header
    .replace(TOKEN, ' ')
    .replace(/to=\s*[^\s<{]+/g, ' ')
    .replace(/\b(?:assistant|commentary|analysis|final|json|code|functions?)\b/g, ' ')
    .replace(/assistantcommentary|assistantanalysis|commentaryto|analysisto/g, ' ');
  return rest.trim() === '';
}

/** Where the header begins: role and channel may stand before the opener that was found. */
function before(source: Source, at: number): number {
  const text = source.flat.slice(Math.max(0, at - 80), at);
  const found = /(?:<\|(?:start|channel)\|>|assistant|commentary|analysis|\s)*$/.exec(text);
  return at - (found?.[0].trimStart().length ?? 0);
}

export const harmony: Grammar = {
  name: 'harmony',
  summary: 'gpt-oss',
  openers: ['<|start|>', '<|channel|>', 'to=', 'commentaryto=', 'assistantcommentary to='],
  delimited: true,
  read,
  write: (calls) =>
    calls
      .map(
        ({ name, input }) =>
          `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${safeJson(input)}<|call|>`,
      )
      .join('<|start|>assistant'),
};
