// Formats that prompts ask for in words: ReAct, Continue, `<tool_use>` with a name and arguments, YAML, and what leaks out of them.
import { isObject } from '../json/values.ts';
import { asArguments, parseJson, valueAt } from './json.ts';
import { stripped } from './parameter.ts';
import { pythonBody } from './python-body.ts';
import { pythonCall } from './python-write.ts';
import { Source } from './source.ts';
import { tagAt } from './tag.ts';
import type { Toolset } from './toolset.ts';
import type { Grammar, Opening, Reading, Spoken, TextArgument, Written } from './types.ts';
import { asText, isSame, safeJson } from './write.ts';
import { childrenAt } from './xml.ts';
import { readYaml } from './yaml.ts';

const ACTION = /Action:[ \t]*([^\n]{1,200})\n\s*Action[ _]Input:[ \t]*/iy;

/** What ends the input of a ReAct step. */
const STEP = ['\nObservation:', '\nThought:', '\nAction:', '\nFinal Answer:'];
function readReact(source: Source, { at, opener }: Opening): Reading | undefined {
  if (!source.startsLine(at)) return undefined;
  if (opener !== THOUGHT) return readAction(source, at);
  const action = source.find('\nAction:', at);
  const next = source.find(`\n${THOUGHT}`, at + 1);
  if (action < 0 || action - at > 20_000 || (next >= 0 && next < action)) return undefined;
  const found = readAction(source, action + 1);
  return found && { ...found, start: at, thought: { from: at + THOUGHT.length, to: action } };
}

const THOUGHT = 'Thought:';

function readAction(source: Source, at: number): Reading | undefined {
  ACTION.lastIndex = at;
  const name = ACTION.exec(source.text)?.[1]?.trim();
  if (name === undefined) return readUiTars(source, at);
  const from = ACTION.lastIndex;
  const stop = source.first(STEP, from)?.at ?? source.text.length;
  const end = source.find('\nObservation:', from) === stop ? source.text.length : stop;
  const given = inputOf(source, from, stop);
  return given && { calls: [{ name, arguments: given }], end, advertised: true };
}

function inputOf(source: Source, from: number, stop: number): Spoken['arguments'] | undefined {
  const start = source.space(from);
  const text = source.text.slice(from, stop).trim();
  if (source.text[start] === '{') {
    const found = valueAt(source, start, ['\nObservation:']);
    if (!('type' in found)) return { type: 'json', value: asArguments(found.value) };
    if (found.type === 'cut') return undefined;
  }
  const value = parseJson(text.replace(/^```(?:json)?\s*|\s*```$/g, ''))?.value;
  if (isObject(value)) return { type: 'json', value };
  return { type: 'raw', text: typeof value === 'string' ? value : text };
}

/** `Action: click(start_box='(10,20)')`. */
function readUiTars(source: Source, at: number): Reading | undefined {
  const found = pythonBody(source, source.space(at + 'Action:'.length));
  return found && { ...found, format: 'ui-tars', advertised: true };
}

export const react: Grammar = {
  name: 'react',
  summary: 'LangChain, Qwen-Agent and other ReAct prompts',
  openers: ['Action:', THOUGHT],
  delimited: false,
  read: readReact,
  write: (calls) => calls.map(({ name, input }) => `Action: ${name}\nAction Input: ${safeJson(input)}`).join('\n'),
  writeResult: ({ text }) => `Observation: ${text}`,
};

export const uiTars: Grammar = {
  name: 'ui-tars',
  summary: 'UI-TARS',
  openers: [],
  delimited: false,
  read: () => undefined,
  write: (calls) => calls.map((call) => `Action: ${pythonCall(call)}`).join('\n'),
};

const BEGIN_ARG = /\s*BEGIN_ARG:[ \t]*([^\n]{1,200})\n/iy;

/** `BEGIN_ARG: k`, the value on the lines below, `END_ARG` on a line of its own. */
function readBlockArguments(source: Source, from: number): { entries: TextArgument[]; end: number } | 'cut' {
  const entries: TextArgument[] = [];
  for (let end = from; ; ) {
    BEGIN_ARG.lastIndex = end;
    const key = BEGIN_ARG.exec(source.text)?.[1]?.trim();
    if (key === undefined) return { entries, end };
    const start = BEGIN_ARG.lastIndex;
    const close = ownLine(source, ['END_ARG', 'end_arg', 'End_arg', 'End_Arg'], start);
    if (close < 0) return 'cut';
    entries.push({ key, text: source.text.slice(start, Math.max(start, source.text.lastIndexOf('\n', close))) });
    end = close + 'END_ARG'.length;
  }
}

/** Where one of the marks next begins a line; -1 if nowhere. */
function ownLine(source: Source, marks: readonly string[], from: number): number {
  for (let next = source.first(marks, from); next; next = source.first(marks, next.at + 1)) {
    if (source.startsLine(next.at)) return next.at;
    if (!source.spend(8)) return -1;
  }
  return -1;
}

function writeContinue(calls: readonly Written[], tools: Toolset): string {
  return calls
    .map((call) => {
      const blocks = Object.entries(call.input).map(([key, value]) => `BEGIN_ARG: ${key}\n${asText(value)}\nEND_ARG\n`);
      const read = readBlockArguments(new Source(blocks.join(''), tools), 0);
      const same =
        read !== 'cut' && isSame({ name: call.name, arguments: { type: 'texts', entries: read.entries } }, call, tools);
      const written = same ? blocks.join('') : `BEGIN_ARG: arguments\n${safeJson(call.input)}\nEND_ARG\n`;
      return `\`\`\`tool\nTOOL_NAME: ${call.name}\n${written}\`\`\``;
    })
    .join('\n');
}

export const continueFence: Grammar = {
  name: 'continue-tool-fence',
  summary: 'Continue',
  openers: ['TOOL_NAME:', 'tool_name:', 'Tool_name:', 'Tool_Name:'],
  delimited: true,
  read(source, { at, end }) {
    if (!source.startsLine(at)) return undefined;
    const lineEnd = source.find('\n', end);
    const name = source.text.slice(end, lineEnd < 0 ? undefined : lineEnd).trim();
    if (name === '' || name.length > 200) return undefined;
    const found = readBlockArguments(source, lineEnd < 0 ? source.text.length : lineEnd);
    if (found === 'cut') return { calls: [], end: source.text.length, cut: at };
    return {
      calls: [{ name, arguments: { type: 'texts', entries: found.entries } }],
      end: found.end,
      advertised: true,
    };
  },
  write: writeContinue,
};

/** `<tool_use><name>f</name><arguments>{…}</arguments></tool_use>`; the arguments may be elements as well. */
function readToolUse(source: Source, { end, tag }: Opening): Reading | undefined {
  if (tag === undefined) return undefined;
  const closer = `</${tag.name}>`;
  const head = /^\s*<(name|tool_name|tool|function)>([^<]{1,200})<\/\1>\s*/.exec(source.text.slice(end, end + 300));
  if (head?.[2] === undefined) return undefined;
  const at = end + head[0].length;
  const inner = source.text[at] === '<' ? tagAt(source, at) : undefined;
  const given = inner ? argumentsWithin(source, inner) : undefined;
  const stop = given?.end ?? at;
  const close = source.space(stop);
  const closed = source.has(closer, close);
  if (given === undefined && !closed) return undefined;
  const name = head[2].trim();
  return {
    calls: [{ name, arguments: given?.given ?? { type: 'json', value: {} } }],
    end: closed ? close + closer.length : stop,
  };
}

function argumentsWithin(source: Source, inner: NonNullable<ReturnType<typeof tagAt>>) {
  if (inner.closes) return undefined;
  const closer = `</${inner.name}>`;
  const start = source.space(inner.end);
  if (source.text[start] === '{') {
    const found = valueAt(source, start, [closer]);
    if ('type' in found) return undefined;
    const close = source.space(found.end);
    const end = source.has(closer, close) ? close + closer.length : found.end;
    return { given: { type: 'json', value: asArguments(found.value) } as const, end };
  }
  const close = source.find(closer, inner.end);
  const text = close < 0 ? '' : stripped(source.text.slice(inner.end, close)).trim();
  if (close >= 0 && text === '') return { given: { type: 'json', value: {} } as const, end: close + closer.length };
  const children = childrenAt(source, start, source.text[start] === '<' ? tagAt(source, start) : undefined);
  if (children === undefined) return undefined;
  const end = source.space(children.end);
  return {
    given: { type: 'texts', entries: children.entries } as const,
    end: source.has(closer, end) ? end + closer.length : children.end,
  };
}

export const toolUse: Grammar = {
  name: 'tool-name-arguments-xml',
  summary: 'Cherry Studio, llxprt, MCP prompts',
  openers: ['<tool_use>', '<tool>', '<tool_call>', '<function_call>', '<use_tool>'],
  delimited: true,
  read: readToolUse,
  write: (calls) =>
    calls
      .map(
        ({ name, input }) => `<tool_use>\n<name>${name}</name>\n<arguments>${safeJson(input)}</arguments>\n</tool_use>`,
      )
      .join('\n'),
};

/** `tool: f` and keys below it, as the whole text or between `---` lines. */
function readYamlCall(source: Source, { at }: Opening): Reading | undefined {
  if (
    source.text
      .slice(0, at)
      .replace(/^---\s*/, '')
      .trim() !== ''
  )
    return undefined;
  const text = source.text.replace(/^\s*---[ \t]*\n|\n---\s*$/g, '').trim();
  const value = readYaml(text);
  if (value === undefined || typeof value.tool !== 'string') return undefined;
  const { tool, arguments: given, args, parameters, ...rest } = value;
  const input = given ?? args ?? parameters ?? rest;
  return {
    calls: [{ name: tool, arguments: { type: 'json', value: asArguments(input) } }],
    start: 0,
    end: source.text.length,
    advertised: true,
  };
}

export const yamlCall: Grammar = {
  name: 'yaml-call',
  summary: 'weak models',
  openers: ['tool:'],
  delimited: false,
  read: readYamlCall,
};
