// Formats that spell calls as Python does: Llama, LFM2, OLMo, NexusRaven, Gemma's tool_code, and bare lists.
import { type Body, type ReadBody, readWrapped, wrapped } from './body.ts';
import { jsonBody } from './json-body.ts';
import { nameAt, nameStart } from './literal.ts';
import { pythonBody } from './python-body.ts';
import { pythonCall } from './python-write.ts';
import type { Source } from './source.ts';
import type { Grammar, Opening, Reading, Spoken, Written } from './types.ts';
import { listJson } from './write.ts';

const list = (calls: readonly Written[]): string => `[${calls.map(pythonCall).join(', ')}]`;
const lines = (calls: readonly Written[]): string => calls.map(pythonCall).join('\n');

/** Python, or JSON in its place. */
const either: ReadBody = (source, at, closers) => pythonBody(source, at) ?? jsonBody(source, at, closers);

/** `name.call(…)` calls a tool that is built in; the object before other names is the library of tools. */
function renamed(body: Body | undefined, change: (name: string) => string): Body | undefined {
  return body && { ...body, calls: body.calls.map((call) => ({ ...call, name: change(call.name) })) };
}

/** The whole of a block must be calls: other Python is content. */
function codeBody(source: Source, at: number, closers: readonly string[]): Body | undefined {
  const found = pythonBody(source, at);
  const end = found && source.space(found.end);
  if (found === undefined || end === undefined || source.oneOf(closers, end) === undefined) return undefined;
  const body = renamed(found, (name) => name.replace(/^default_api\./, ''));
  return body && { ...body, advertised: true };
}

export const llama3: Grammar = wrapped({
  name: 'llama3-json',
  summary: 'Llama 3.1 and 3.3',
  openers: ['<|python_tag|>'],
  closers: ['<|eom_id|>', '<|eot_id|>'],
  body: jsonBody,
  write: (calls) =>
    `<|python_tag|>${calls.map((call) => listJson('', '', 'parameters')([call]).slice(1, -1)).join('; ')}`,
});

export const llama3Builtin: Grammar = wrapped({
  name: 'llama3-builtin',
  summary: "Llama 3.1's built-in tools, Nemotron Ultra",
  openers: ['<|python_tag|>'],
  closers: ['<|eom_id|>', '<|eot_id|>'],
  body: (source, at) => renamed(pythonBody(source, at), (name) => name.replace(/\.call$/, '')),
  write: (calls) =>
    calls.map((call) => `<|python_tag|>${pythonCall({ ...call, name: `${call.name}.call` })}`).join('\n'),
});

export const llama4: Grammar = wrapped({
  name: 'pythonic',
  summary: 'Llama 3.2 and 4, ToolACE, prompts of the Berkeley leaderboard',
  openers: ['<|python_start|>'],
  closers: ['<|python_end|>'],
  body: either,
  write: (calls) => `<|python_start|>${list(calls)}<|python_end|>`,
});

export const lfm2: Grammar = wrapped({
  name: 'lfm2-pythonic',
  summary: 'LFM2 and LFM2.5',
  openers: ['<|tool_call_start|>'],
  closers: ['<|tool_call_end|>'],
  body: either,
  write: (calls) => `<|tool_call_start|>${list(calls)}<|tool_call_end|>`,
});

export const minicpm3: Grammar = {
  name: 'minicpm3-thought',
  summary: 'MiniCPM 3',
  openers: ['<|tool_call_start|>'],
  delimited: true,
  read(source, opening) {
    const fence = source.space(opening.end);
    return source.has('```', fence) ? readWrapped(source, opening, ['<|tool_call_end|>'], pythonBody) : undefined;
  },
  write: (calls) => `<|tool_call_start|>\n\`\`\`python\n${lines(calls)}\n\`\`\`\n<|tool_call_end|>`,
};

export const olmo3: Grammar = wrapped({
  name: 'olmo3-pythonic',
  summary: 'OLMo 3',
  openers: ['<function_calls>'],
  closers: ['</function_calls>'],
  body: pythonBody,
  write: (calls) => `<function_calls>${lines(calls)}</function_calls>`,
});

export const toolCode: Grammar = wrapped({
  name: 'tool_code-python',
  summary: 'Gemma 2 and 3 prompting, Gemini',
  openers: ['<tool_code>'],
  closers: ['</tool_code>'],
  body: codeBody,
  write: (calls) =>
    `<tool_code>\n${calls.map((call) => `print(${pythonCall({ ...call, name: `default_api.${call.name}` })})`).join('\n')}\n</tool_code>`,
});

export const nexus: Grammar = {
  name: 'nexus-raven',
  summary: 'NexusRaven',
  openers: ['Call:'],
  delimited: false,
  read(source, { at, end }) {
    const found = source.startsLine(at) ? pythonBody(source, source.space(end)) : undefined;
    if (found === undefined) return undefined;
    const thought = source.space(found.end);
    const stop = source.has('<bot_end>', thought) ? thought + '<bot_end>'.length : found.end;
    return { ...found, end: stop };
  },
  write: (calls) => `Call: ${calls.map(pythonCall).join('; ')}<bot_end>`,
};

/** A list of calls without any mark: `[f(a=1), g()]`. */
export const bareList: Grammar = {
  name: 'pythonic',
  summary: '',
  openers: ['['],
  delimited: false,
  read(source, { at }) {
    const first = source.space(at + 1);
    const name = nameAt(source.text, first);
    if (name === '' || source.text[first + name.length] !== '(') return undefined;
    const found = pythonBody(source, at);
    if (found === undefined || source.text[found.end - 1] !== ']' || source.text[found.end] === '(') return undefined;
    // Without a list of tools only what stands on lines of its own can be told from prose.
    const alone = source.tools.known || (source.startsLine(at) && lineEnd(source, found.end) !== undefined);
    return alone ? unprefixed(found) : undefined;
  },
};

/** `default_api.f(…)`: the object stands for the library of tools. */
const unprefixed = (found: Body): Reading => ({
  ...found,
  calls: found.calls.map((call): Spoken => ({ ...call, name: call.name.replace(/^default_api\./, '') })),
});

/** A call alone on its line, without any mark: `f(a=1)`. Nothing else may stand on the line. */
export const bareCall: Grammar = {
  name: 'pythonic',
  summary: '',
  openers: ['('],
  delimited: false,
  read(source, { at }: Opening) {
    const start = nameStart(source.text, at);
    if (start === at) return undefined;
    const print = source.text.slice(start, at) === 'print';
    const name = print ? nameAt(source.text, source.space(at + 1)) : source.text.slice(start, at);
    if (!isTool(source, name) || !source.startsLine(start)) return undefined;
    const found = pythonBody(source, start);
    const end = found && lineEnd(source, found.end);
    return found && end !== undefined ? { ...unprefixed(found), start, end, advertised: true } : undefined;
  },
};

const isTool = (source: Source, name: string): boolean => source.tools.resolve(name)?.tool !== undefined;

function lineEnd(source: Source, at: number): number | undefined {
  let end = at;
  while (/[ \t\r]/.test(source.text[end] ?? '')) end += 1;
  return end === source.text.length || source.text[end] === '\n' || source.has('```', end) || source.has('<', end)
    ? end
    : undefined;
}
