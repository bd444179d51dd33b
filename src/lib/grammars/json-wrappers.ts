// Formats that put a call, or a list of calls, as JSON between marks of their own.
import { type Body, type ReadBody, wrapped } from './body.ts';
import { jsonBody } from './json-body.ts';
import { nameAt } from './literal.ts';
import { pythonBody } from './python-body.ts';
import type { Source } from './source.ts';
import { namedJson } from './token-json.ts';
import { skipTokens } from './tokens.ts';
import type { Grammar, Written } from './types.ts';
import { eachJson, listJson, safeJson } from './write.ts';

interface Marks {
  readonly name: string;
  readonly summary: string;
  readonly openers: readonly string[];
  readonly closers: readonly string[];
  readonly body?: ReadBody;
  readonly write: (calls: readonly Written[]) => string;
}

/** Objects that are a tool's name and its arguments, and nothing else. */
const keyedBody: ReadBody = (source, at, closers) =>
  jsonBody(source, at, closers, { tools: source.tools, certain: true, keyed: true });

/** JSON or Python. */
const eitherBody: ReadBody = (source, at, closers) => jsonBody(source, at, closers) ?? pythonBody(source, at);

/** Only a list, or only objects one after another: two formats share the wrapper. */
const startingWith =
  (c: string): ReadBody =>
  (source, at, closers) =>
    source.text[source.space(at)] === c ? jsonBody(source, at, closers) : undefined;

function afterTokens(names: readonly string[], body: ReadBody): ReadBody {
  return (source, at, closers) => body(source, source.space(skipTokens(source, names, at)), closers);
}

const cohereCall = ({ name, input, id }: Written, index: number) =>
  safeJson({ tool_call_id: id ?? String(index), tool_name: name, parameters: input });

const FORMATS: readonly Marks[] = [
  {
    name: 'granite3-json',
    summary: 'Granite 3.0 to 3.3',
    openers: ['<|tool_call|>'],
    closers: ['<|end_of_text|>'],
    write: listJson('<|tool_call|>', ''),
  },
  {
    name: 'granite20b',
    summary: 'Granite-20b function calling',
    openers: ['<function_call>'],
    // Its own calls end without a mark.
    closers: [],
    body: (source, at) => jsonBody(source, at, ['</function_call>', '<function_call>']),
    write: eachJson('<function_call> ', ''),
  },
  {
    name: 'tool_calls-json-array',
    summary: 'Jamba, Hunyuan-A13B, Apriel',
    openers: ['<tool_calls>'],
    closers: ['</tool_calls>'],
    body: startingWith('['),
    write: listJson('<tool_calls>', '</tool_calls>'),
  },
  {
    name: 'minimax-m1',
    summary: 'MiniMax M1',
    openers: ['<tool_calls>'],
    closers: ['</tool_calls>'],
    body: startingWith('{'),
    write: (calls) => `<tool_calls>\n${eachJson('', '')(calls)}\n</tool_calls>`,
  },
  {
    name: 'nemotron-toolcall',
    summary: 'Nemotron Nano v2',
    openers: ['<TOOLCALL>'],
    closers: ['</TOOLCALL>', '</toolcall>'],
    body: eitherBody,
    write: listJson('<TOOLCALL>', '</TOOLCALL>'),
  },
  {
    name: 'nemotron-mini',
    summary: 'Nemotron-4, Nemotron Mini',
    openers: ['<toolcall>'],
    closers: ['</toolcall>'],
    write: eachJson('<toolcall> ', ' </toolcall>'),
  },
  {
    name: 'cohere-action',
    summary: 'Command R7B, Command A',
    openers: ['<|START_ACTION|>'],
    closers: ['<|END_ACTION|>'],
    write: (calls) => `<|START_ACTION|>[\n${calls.map(cohereCall).join(',\n')}\n]<|END_ACTION|>`,
  },
  {
    name: 'internlm2',
    summary: 'InternLM 2 and 2.5',
    openers: ['<|action_start|>'],
    closers: ['<|action_end|>'],
    body: afterTokens(['plugin', 'interpreter'], jsonBody),
    write: eachJson('<|action_start|><|plugin|>\n', '<|action_end|>', 'parameters'),
  },
  {
    name: 'apertus',
    summary: 'Apertus',
    openers: ['<|tools_prefix|>'],
    closers: ['<|tools_suffix|>'],
    body: keyedBody,
    write: (calls) =>
      `<|tools_prefix|>[${calls.map(({ name, input }) => safeJson(Object.fromEntries([[name, input]]))).join(', ')}]<|tools_suffix|>`,
  },
  {
    name: 'sarashina',
    summary: 'Sarashina 2 and 3',
    openers: ['<|tool_calls|>'],
    closers: ['</s>'],
    write: listJson('<|tool_calls|>', ''),
  },
  {
    name: 'pangu',
    summary: 'openPangu',
    openers: ['[unused11]'],
    closers: ['[unused12]'],
    write: listJson('[unused11]', '[unused12]'),
  },
  {
    name: 'hyperclovax',
    summary: 'HyperCLOVA X SEED 14B',
    openers: ['-> tool/function_call'],
    closers: ['<|im_end|>'],
    write: listJson('-> tool/function_call\n', '<|im_end|>'),
  },
  {
    name: 'functools',
    summary: 'Phi-4-mini, FireFunction v2',
    openers: ['functools[', 'functools ['],
    closers: [],
    body: (source, at, closers) => jsonBody(source, source.flat.lastIndexOf('[', at - 1), closers),
    write: listJson('functools', ''),
  },
  {
    name: 'lmstudio-tool_request',
    summary: "LM Studio's default prompt",
    openers: ['[TOOL_REQUEST]'],
    closers: ['[END_TOOL_REQUEST]', '[TOOL_REQUEST_END]'],
    body: (source, at, closers) => jsonBody(source, at, closers) ?? namedObject(source, at, closers),
    write: eachJson('[TOOL_REQUEST]\n', '\n[END_TOOL_REQUEST]'),
  },
  {
    name: 'toolcall-bracket',
    summary: 'MiniMax fine-tunes, agent prompts',
    openers: ['[TOOL_CALL]'],
    closers: ['[/TOOL_CALL]'],
    write: (calls) =>
      calls.map(({ name, input }) => `[TOOL_CALL]\n${safeJson({ tool: name, args: input })}\n[/TOOL_CALL]`).join('\n'),
  },
  {
    name: 'gigachat3',
    summary: 'GigaChat 3 and 3.1',
    openers: ['<|function_call|>', '<|message_sep|>'],
    closers: [],
    body: (source, at) => jsonBody(source, afterRole(source, at), ['<|message_sep|>', '</s>']),
    write: eachJson('<|message_sep|>\n\nfunction call<|role_sep|>\n', ''),
  },
  {
    name: 'chatml-role',
    summary: 'ChatML variants',
    openers: ['<|im_start|>'],
    closers: ['<|im_end|>'],
    body(source, at, closers) {
      const role = /(?:tool_call|function_call|assistant_tool_call)s?\s*\n/y;
      role.lastIndex = at;
      return role.test(source.text) ? jsonBody(source, role.lastIndex, closers) : undefined;
    },
    write: eachJson('<|im_start|>tool_call\n', '<|im_end|>'),
  },
];

/** `function call<|role_sep|>` before the object. */
function afterRole(source: Source, at: number): number {
  const role = /\s*function call<\|role_sep\|>\s*/y;
  role.lastIndex = at;
  return role.test(source.flat) ? role.lastIndex : at;
}

/** A name before the object of its arguments. */
function namedObject(source: Source, at: number, closers: readonly string[]): Body | undefined {
  const start = source.space(at);
  const name = nameAt(source.text, start);
  const found = name === '' ? undefined : namedJson(source, name, start + name.length, closers);
  if (found === 'cut') return { calls: [], end: source.text.length, cut: start };
  return found && { calls: [found.spoken], end: found.end };
}

export const JSON_WRAPPERS: readonly Grammar[] = FORMATS.map(({ body = jsonBody, ...marks }) =>
  wrapped({ ...marks, body }),
);
