// `<invoke name="f"><parameter name="k">v</parameter></invoke>`, in the wrappers and namespaces of many models.
import { readWrapped } from './body.ts';
import { type Element, markupBody } from './markup.ts';
import { Source } from './source.ts';
import type { Toolset } from './toolset.ts';
import type { Grammar, Opening, Reading, Written } from './types.ts';
import { asText, isSame, safeJson } from './write.ts';

interface Dialect {
  readonly name: string;
  readonly summary: string;
  /** What calls stand in, as it is written; the first one is written. */
  readonly wrappers: readonly string[];
  /** The namespace of the elements, with its mark: `antml:`. */
  readonly prefix?: string;
  /** Parameters say whether they are strings. */
  readonly typed?: boolean;
  /** The names of the elements. */
  readonly call?: string;
  readonly parameter?: string;
}

const CLAUDE = 'antml:';

const DIALECTS: readonly Dialect[] = [
  {
    name: 'deepseek-dsml',
    summary: 'DeepSeek V3.2 and V4',
    wrappers: ['<｜DSML｜tool_calls>', '<｜DSML｜function_calls>', '<｜DSML｜toolcalls>', '<｜DSML｜tool_call>'],
    prefix: '｜DSML｜',
    typed: true,
  },
  {
    name: 'gigachat35',
    summary: 'GigaChat 3.5',
    wrappers: ['<｜GCML｜tool_calls>', '<｜GCML｜function_calls>'],
    prefix: '｜GCML｜',
    typed: true,
  },
  { name: 'minimax-m2', summary: 'MiniMax M2', wrappers: ['<minimax:tool_call>'] },
  { name: 'antml', summary: "Claude 4's own form", wrappers: [`<${CLAUDE}function_calls>`], prefix: CLAUDE },
  {
    name: 'function_calls-invoke',
    summary: 'Claude 3 prompting, Poe, many proxies',
    wrappers: ['<function_calls>'],
  },
  { name: 'tool_calls-invoke', summary: 'DeepSeek without its marks', wrappers: ['<tool_calls>'] },
  { name: 'dots', summary: 'dots.llm 2', wrappers: ['<dots_function_call>', '>dots_function_call>'] },
  { name: 'step3', summary: 'Step-3', wrappers: [], prefix: 'steptml:' },
  { name: 'xai-xml', summary: 'Grok', wrappers: [], prefix: 'xai:', call: 'function_call' },
  { name: 'minicpm5-xml', summary: 'MiniCPM 5', wrappers: [], call: 'function', parameter: 'param' },
];

const spaceOf = ({ prefix = '' }: Dialect): string => prefix.replace(/[:｜]/g, '');

/** Whether the elements are this dialect's. In its own wrapper, another namespace's elements are too. */
function isOwn(dialect: Dialect, found: Element | undefined, wrapped: boolean): found is Element {
  if (found === undefined || found.tag !== (dialect.call ?? 'invoke')) return false;
  return wrapped ? found.space === '' || found.space === spaceOf(dialect) : found.space === spaceOf(dialect);
}

function closerOf(wrapper: string): string {
  return wrapper.replaceAll('｜', '|').replace(/^[<>]/, '</');
}

function grammarOf(dialect: Dialect): Grammar {
  const { name, summary, wrappers, call = 'invoke' } = dialect;
  const bare = wrappers.length === 0 || dialect.prefix !== undefined || name === 'function_calls-invoke';
  const flat = wrappers.map((wrapper) => wrapper.replaceAll('｜', '|'));
  return {
    name,
    summary,
    openers: [...flat, ...(bare ? [`<${call}`] : [])],
    delimited: true,
    read: (source, opening) => read(dialect, source, opening),
    write: (calls, tools) => write(dialect, calls, tools),
  };
}

function read(dialect: Dialect, source: Source, opening: Opening): Reading | undefined {
  const { opener, tag, at } = opening;
  if (opener.endsWith('>')) {
    const within = (inner: Source, start: number) => {
      const found = markupBody(inner, start, true);
      return isOwn(dialect, found, true) ? found : undefined;
    };
    const reading = readWrapped(source, opening, [closerOf(opener)], within);
    return reading;
  }
  if (tag === undefined || tag.space !== spaceOf(dialect)) return undefined;
  const found = markupBody(source, at, false);
  return isOwn(dialect, found, false) ? found : undefined;
}

function write(dialect: Dialect, calls: readonly Written[], tools: Toolset): string {
  const [wrapper] = dialect.wrappers;
  const written = calls.map((call) => writeCall(dialect, call, tools)).join('\n');
  return wrapper === undefined ? written : `${wrapper}\n${written}\n${wrapper.replace('<', '</')}`;
}

function writeCall(dialect: Dialect, call: Written, tools: Toolset): string {
  const { prefix = '', call: element = 'invoke', parameter = 'parameter', typed = false } = dialect;
  const parameters = Object.entries(call.input).map(([key, value]) => {
    const said = typed ? ` string="${typeof value === 'string'}"` : '';
    return `<${prefix}${parameter} name="${key}"${said}>${asText(value)}</${prefix}${parameter}>\n`;
  });
  const open = `<${prefix}${element} name="${call.name}">\n`;
  const text = `${open}${parameters.join('')}</${prefix}${element}>`;
  const [read] = markupBody(new Source(text, tools), 0, true)?.calls ?? [];
  return isSame(read, call, tools) ? text : `${open}${safeJson(call.input)}\n</${prefix}${element}>`;
}

export const INVOKES: readonly Grammar[] = DIALECTS.map(grammarOf);
