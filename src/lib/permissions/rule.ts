// Permission rules: `Tool` or `Tool(specifier)`, as in Claude Code's settings. https://code.claude.com/docs/en/permissions
import { EXIT, Failure } from '../failure/failure.ts';

export type List = 'deny' | 'ask' | 'allow';

export interface Rule {
  readonly text: string;
  readonly tool: string;
  readonly specifier?: string;
  /** Where it was written, for messages. */
  readonly file: string;
  /** What `/path` in it is relative to. */
  readonly base: string;
}

/**
 * Reads one rule of a list. Throws a Failure (78) for one that cannot be read: a rule that is skipped protects nobody.
 * `place` is the file and the rule's place in it.
 */
export function parseRule(text: string, list: List, where: { file: string; base: string; place: string }): Rule {
  const { file, base, place } = where;
  const open = text.indexOf('(');
  const tool = (open < 0 ? text : text.slice(0, open)).trim();
  const refuse = (why: string) => new Failure(EXIT.config, `cannot read the rule "${text}": ${why}`, { place });
  if (!/^[\w.*-]+$/.test(tool)) throw refuse('write a tool name, or a tool name with a pattern in parentheses');
  if (list === 'allow' && tool.replace(/^mcp__[^*]+__\*$/, '').includes('*'))
    throw refuse("a wildcard in a tool's name is only possible in deny and ask rules");
  if (open < 0) return { text, tool, file, base };
  if (!text.endsWith(')')) throw refuse('the closing parenthesis is missing');
  const specifier = text.slice(open + 1, -1).trim();
  if (specifier === '') throw refuse('the parentheses are empty');
  const problem = problemWith(kindOf(tool), specifier);
  if (problem) throw refuse(problem);
  return { text, tool, specifier, file, base };
}

function problemWith(kind: Kind | undefined, specifier: string): string | undefined {
  if (specifier === '*') return undefined;
  if (kind === 'shell') return undefined;
  if (kind === 'read' || kind === 'search' || kind === 'edit')
    return specifier.startsWith('!') ? 'negated patterns (!) are not supported in rules' : undefined;
  if (kind === 'fetch') return specifier.startsWith('domain:') ? undefined : 'it must be "domain:" and a host';
  if (kind === 'agent') return undefined;
  return /^[\w-]+:/.test(specifier) ? undefined : 'it must be an argument and its value, "name:value"';
}

/** What a tool does, as far as rules care. */
type Kind = 'shell' | 'read' | 'search' | 'edit' | 'fetch' | 'agent';

/** The tools that mean the same, by the name that rules know best; and what they do. */
const TOOLS: readonly (readonly [name: string, kind: Kind | undefined, others: readonly string[]])[] = [
  ['Bash', 'shell', ['execute_command']],
  ['Read', 'read', ['read_file', 'NotebookRead']],
  ['Grep', 'search', ['search_files']],
  ['Glob', 'search', []],
  ['LS', 'search', ['list_files']],
  ['Edit', 'edit', ['MultiEdit', 'NotebookEdit', 'apply_diff', 'insert_content', 'search_and_replace']],
  ['Write', 'edit', ['write_to_file']],
  ['WebFetch', 'fetch', ['web_fetch']],
  ['Task', 'agent', ['Agent', 'new_task']],
  ['TodoWrite', undefined, ['update_todo_list']],
  ['AskUserQuestion', undefined, ['ask_followup_question']],
];

const byName = new Map(
  TOOLS.flatMap(([name, kind, others]) => [name, ...others].map((each) => [each, { name, kind }] as const)),
);

/** What a tool of this name does; undefined if rules know nothing of it. */
export const kindOf = (tool: string): Kind | undefined => byName.get(tool)?.kind;

/** The name under which rules know a tool. */
export const knownAs = (tool: string): string => byName.get(tool)?.name ?? tool;
