// An agent as Markdown with front matter, as in .claude/agents. https://code.claude.com/docs/en/sub-agents
import { basename } from 'node:path';
import { loadYaml, parseYaml } from '../config/yaml.ts';
import { EXIT, Failure } from '../ir/failure.ts';
import { isObject, type JsonObject } from '../ir/json.ts';
import type { Agent } from './agent.ts';

/** Reads one file. Without a name of its own the agent is called after the file. Throws a Failure (78) if there is no front matter. */
export async function fromMarkdown(source: string, file: string): Promise<Agent> {
  const [whole, front] = /^\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(source) ?? [];
  if (whole === undefined || front === undefined)
    throw new Failure(EXIT.config, 'cannot read the agent: it has no front matter', {
      place: file,
      hint: 'begin the file with "---", name and description, "---"',
    });
  const { name, description, tools, disallowedTools, model, permissionMode } = await fields(front, file);
  return {
    name: typeof name === 'string' && name !== '' ? name : basename(file, '.md'),
    description: oneLine(description),
    prompt: source.slice(whole.length).trim(),
    ...(typeof model === 'string' && !['', 'inherit'].includes(model) && { model }),
    ...listed(tools),
    without: [...names(disallowedTools), ...(permissionMode === 'plan' ? PLAN : [])],
    file,
  };
}

/** What `permissionMode: plan` leaves out: all that changes something. */
const PLAN = ['Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'].concat(
  ['execute_command', 'write_to_file'],
  ['apply_diff', 'insert_content'],
);

/** A list, or names with commas between them; what stands in parentheses is for Claude Code alone. An empty one means all. */
function listed(tools: unknown): Pick<Agent, 'tools'> {
  const found = names(tools);
  return found.length > 0 ? { tools: found } : {};
}

function names(value: unknown): string[] {
  const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/,(?![^(]*\))/) : [];
  return all
    .filter((name) => typeof name === 'string')
    .map((name) => name.replace(/\(.*/s, '').trim())
    .filter((name) => name !== '');
}

/**
 * The fields of the front matter. Many of the agents that are passed around are no YAML: a description with a colon in it, without quotes, is
 * read to the end of its line by Claude Code, and so it is here.
 */
async function fields(front: string, file: string): Promise<JsonObject> {
  try {
    const { value } = parseYaml(await loadYaml(), front, file);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const lines = front.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^([A-Za-z]\w*):[ \t]+(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()] as const];
    });
    if (lines.length === 0) throw error;
    return Object.fromEntries(lines);
  }
  throw new Failure(EXIT.config, 'cannot read the agent: its front matter has no fields', { place: file });
}

export const oneLine = (value: unknown): string =>
  typeof value === 'string' ? (value.trim().split('\n')[0] ?? '').trim() : '';
