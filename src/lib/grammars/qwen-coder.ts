// Qwen's XML: `<function=f><parameter=k>v</parameter></function>`. https://huggingface.co/Qwen/Qwen3-Coder-480B-A35B-Instruct
import { readWrapped } from './body.ts';
import { markupBody } from './markup.ts';
import { Source } from './source.ts';
import type { Toolset } from './toolset.ts';
import type { Grammar, Opening, Reading, Written } from './types.ts';
import { asText, isSame, safeJson } from './write.ts';

const isQwen = (found: { tag: string; space: string } | undefined) => found?.tag === 'function' && found.space === '';

function within(source: Source, at: number) {
  const found = markupBody(source, at, true);
  return isQwen(found) ? found : undefined;
}

function readQwen(source: Source, opening: Opening): Reading | undefined {
  if (opening.opener !== '<function') return readWrapped(source, opening, ['</tool_call>'], within);
  if (!opening.tag?.rest.trimStart().startsWith('=') && opening.tag?.rest.trim() !== '') return undefined;
  const found = markupBody(source, opening.at, false);
  return isQwen(found) ? found : undefined;
}

/** One call as elements; as JSON in the element, where its values could not be told from the elements. */
function functionCall(call: Written, tools: Toolset): string {
  const parameters = Object.entries(call.input).map(
    ([key, value]) => `<parameter=${key}>\n${asText(value)}\n</parameter>\n`,
  );
  const text = `<function=${call.name}>\n${parameters.join('')}</function>`;
  const [read] = markupBody(new Source(text, tools), 0, true)?.calls ?? [];
  return isSame(read, call, tools) ? text : `<function=${call.name}>\n${safeJson(call.input)}\n</function>`;
}

export const qwenCoder: Grammar = {
  name: 'qwen3-coder-xml',
  summary: 'Qwen3-Coder, Qwen 3.5 and later, Nemotron 3 Nano, Step 3.5, MiMo',
  openers: ['<tool_call>', '<function'],
  delimited: true,
  read: readQwen,
  write: (calls, tools) => calls.map((call) => `<tool_call>\n${functionCall(call, tools)}\n</tool_call>`).join('\n'),
};

export const seedOss: Grammar = {
  name: 'seed-oss',
  summary: 'ByteDance Seed-OSS',
  openers: ['<seed:tool_call>'],
  delimited: true,
  read: (source, opening) => readWrapped(source, opening, ['</seed:tool_call>'], within),
  write: (calls, tools) =>
    calls.map((call) => `<seed:tool_call>\n${functionCall(call, tools)}\n</seed:tool_call>`).join('\n'),
};

export const functionary31: Grammar = {
  name: 'functionary-v3.1',
  summary: 'Functionary 3.1, Llama 3.1 with custom tools',
  openers: ['<function'],
  delimited: true,
  read: readQwen,
  write: (calls) => calls.map(({ name, input }) => `<function=${name}>${safeJson(input)}</function>`).join('\n'),
};
