// Tags named after tools: `<read_file><path>a.ts</path></read_file>` (Cline, Roo), `<bash>ls</bash>`, `<f k="v"/>`.
import type { Json } from '../json/values.ts';
import { asArguments, parseJson } from './json.ts';
import { stripped } from './parameter.ts';
import { Schema } from './schema.ts';
import type { Tag } from './source.ts';
import { Source } from './source.ts';
import { attributesOf, decodeEntities, tagAt } from './tag.ts';
import type { Toolset } from './toolset.ts';
import type { Grammar, Opening, Reading, Spoken, TextArgument, Written } from './types.ts';
import { asText, isSame } from './write.ts';
import { readYaml } from './yaml.ts';

/** The tools of Cline and Roo: their prompts name them, and conversations with them often come without a list. */
const CLINE = new Map<string, readonly string[]>(
  Object.entries({
    access_mcp_resource: ['server_name', 'uri'],
    apply_diff: ['path', 'diff', 'args', 'start_line'],
    ask_followup_question: ['question', 'options', 'follow_up'],
    attempt_completion: ['result', 'command'],
    browser_action: ['action', 'url', 'coordinate', 'text', 'size'],
    codebase_search: ['query', 'path'],
    execute_command: ['command', 'cwd', 'requires_approval'],
    fetch_instructions: ['task'],
    insert_content: ['path', 'line', 'content'],
    list_code_definition_names: ['path'],
    list_files: ['path', 'recursive'],
    new_task: ['mode', 'message', 'context', 'todos'],
    read_file: ['path', 'args', 'start_line', 'end_line'],
    replace_in_file: ['path', 'diff'],
    run_slash_command: ['command', 'args'],
    search_and_replace: ['path', 'search', 'replace', 'start_line', 'end_line', 'use_regex', 'ignore_case'],
    search_files: ['path', 'regex', 'file_pattern'],
    switch_mode: ['mode_slug', 'reason'],
    update_todo_list: ['todos'],
    use_mcp_tool: ['server_name', 'tool_name', 'arguments'],
    write_to_file: ['path', 'content', 'line_count'],
  }),
);

/** Parameters that hold files: they run to their last closing tag. */
const WHOLE = new Set(['content', 'diff', 'file_text', 'new_string', 'old_string', 'code', 'patch', 'result']);

interface Known {
  /** Only its prompt is known, and that all its parameters are texts. */
  readonly texts: boolean;
  readonly name: string;
  readonly keys: readonly string[];
}

/** What is known of a tag's tool: from the conversation, or from Cline's prompt where there is no list. */
function known(source: Source, tag: Tag): Known | undefined {
  const spoken = tag.space === '' ? tag.name : `${tag.space}:${tag.name}`;
  const { tools } = source;
  if (tools.known) {
    const found = tools.has(spoken) ? spoken : undefined;
    return found === undefined
      ? undefined
      : { name: found, keys: new Schema(tools.schema(found)).keys(), texts: false };
  }
  const keys = CLINE.get(spoken);
  return keys && { name: spoken, keys, texts: true };
}

/** Whether a tag is named after a tool. */
export const isToolTag = (source: Source, tag: Tag): boolean => known(source, tag) !== undefined;

function read(source: Source, { at, tag }: Opening): Reading | undefined {
  const tool = tag && !tag.closes ? known(source, tag) : undefined;
  if (tag === undefined || tool === undefined) return undefined;
  const attributes = [...attributesOf(tag)];
  if (tag.empty) return attributed(tool, tag, attributes, source.startsLine(at));
  const name = tag.space === '' ? tag.name : `${tag.space}:${tag.name}`;
  const closer = `</${name}>`;
  const found = children(source, tag.end, tool, closer);
  if (found === 'cut') return { calls: [], end: source.text.length, cut: at };
  if (found) return done(tool.name, { type: 'texts', entries: found.entries }, found.end, 'cline-xml');
  const close = source.find(closer, tag.end);
  if (close < 0 || !source.startsLine(at) || !endsLine(source, close + closer.length)) return undefined;
  return content(tool, source.text.slice(tag.end, close), close + closer.length);
}

function endsLine(source: Source, at: number): boolean {
  const next = source.text.slice(at, at + 40).trimStart();
  return next === '' || next.startsWith('<') || /^[ \t]*\r?\n/.test(source.text.slice(at, at + 40));
}

const done = (name: string, given: Spoken['arguments'], end: number, format: string): Reading => ({
  calls: [{ name, arguments: given }],
  end,
  format,
});

function attributed(tool: Known, tag: Tag, attributes: [string, string][], alone: boolean): Reading | undefined {
  const fits = attributes.every(([key]) => tool.keys.includes(key));
  if (!fits || (attributes.length === 0 && !alone)) return undefined;
  const entries = attributes.map(([key, value]) => ({ key, text: decodeEntities(value) }));
  return done(tool.name, { type: 'texts', entries }, tag.end, 'attrs-tag');
}

/** The content of a tag without known children: JSON, YAML, or one text for the only parameter. */
function content(tool: Known, inner: string, end: number): Reading | undefined {
  const text = stripped(inner);
  const trimmed = text.trim();
  if (trimmed === '')
    return tool.keys.length === 0 ? done(tool.name, { type: 'json', value: {} }, end, 'cline-xml') : undefined;
  if (trimmed.startsWith('{')) {
    const value = parseJson(trimmed)?.value;
    if (value !== undefined) return done(tool.name, { type: 'json', value: asArguments(value) }, end, 'tool-tag-json');
  }
  const yaml = readYaml(trimmed);
  if (yaml !== undefined && Object.keys(yaml).every((key) => tool.keys.includes(key)))
    return done(tool.name, { type: 'json', value: yaml }, end, 'yaml-xml');
  if (tool.keys.length !== 1) return undefined;
  return done(tool.name, { type: 'raw', text: decodeEntities(text) }, end, 'tool-tag-json');
}

/** Child elements that are parameters of the tool. */
function children(
  source: Source,
  at: number,
  tool: Known,
  closer: string,
): { entries: TextArgument[]; end: number } | 'cut' | undefined {
  const entries: TextArgument[] = [];
  const limit = source.find(closer, at);
  let end = at;
  for (;;) {
    const start = source.space(end);
    if (source.has(closer, start)) return entries.length > 0 ? { entries, end: start + closer.length } : undefined;
    const tag = source.text[start] === '<' ? tagAt(source, start) : undefined;
    if (tag === undefined || tag.closes || !tool.keys.includes(tag.name)) return unclosed(source, entries, start, end);
    const close = closing(source, tag, closer, limit, tool.keys);
    if (close === undefined) return 'cut';
    const text = source.text.slice(tag.end, close);
    const value = WHOLE.has(tag.name) ? stripped(text) : decodeEntities(text.trim());
    entries.push({ key: tag.name, text: value, ...(tool.texts && { type: 'string' as const }) });
    end = close + tag.name.length + 3;
  }
}

/** All that was read may still be a call, if only its closing tag is missing. */
function unclosed(
  source: Source,
  entries: TextArgument[],
  start: number,
  end: number,
): { entries: TextArgument[]; end: number } | undefined {
  return entries.length > 0 && start >= source.text.length ? { entries, end } : undefined;
}

/** The closing tag of a parameter: the last one within the call for those that hold files, else the first. */
function closing(
  source: Source,
  { name, end }: Tag,
  closer: string,
  limit: number,
  keys: readonly string[],
): number | undefined {
  const mark = `</${name}>`;
  const first = source.find(mark, end);
  if (first < 0) return undefined;
  if (!WHOLE.has(name)) return first;
  let last = first;
  for (let at = first; at >= 0 && source.spend(16); at = source.find(mark, at + 1)) {
    if (limit >= 0 && at > limit && !ends(source, last + mark.length, closer, keys)) last = at;
    else if (limit < 0 || at < limit) last = at;
    if (ends(source, at + mark.length, closer, keys)) return at;
  }
  return last;
}

/** Whether a call goes on, or ends, behind a parameter. */
function ends(source: Source, at: number, closer: string, keys: readonly string[]): boolean {
  const next = source.space(at);
  if (source.has(closer, next)) return true;
  const tag = source.text[next] === '<' ? tagAt(source, next) : undefined;
  return tag !== undefined && !tag.closes && keys.includes(tag.name);
}

function escapeText(value: Json | undefined): string {
  return asText(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function write(calls: readonly Written[], tools: Toolset): string {
  return calls.map((call) => element(call, tools)).join('\n');
}

/** The parameters as elements; as JSON where their values could not be told from the elements. */
function element(call: Written, tools: Toolset): string {
  const parameters = Object.entries(call.input).map(([key, value]) =>
    WHOLE.has(key) ? `<${key}>\n${asText(value)}\n</${key}>\n` : `<${key}>${escapeText(value)}</${key}>\n`,
  );
  const text = `<${call.name}>\n${parameters.join('')}</${call.name}>`;
  const source = new Source(text, tools);
  const tag = tagAt(source, 0);
  const [spoken] = (tag && read(source, { opener: '<', at: 0, end: tag.end, tag })?.calls) ?? [];
  if (isSame(spoken, call, tools)) return text;
  return `<${call.name}>\n${JSON.stringify(call.input).replaceAll('<', '\\u003c')}\n</${call.name}>`;
}

export const cline: Grammar = {
  name: 'cline-xml',
  summary: 'Cline, Roo, Kilo',
  openers: ['<'],
  delimited: false,
  read,
  write,
};
