// An agent as Markdown with front matter, as in .claude/agents. https://code.claude.com/docs/en/sub-agents
import { basename } from 'node:path';
import type { Agent } from './agent.ts';
import { readFrontMatter } from './front-matter.ts';

/** Reads one file. Without a name of its own the agent is called after the file. Throws as readFrontMatter does. */
export async function fromMarkdown(source: string, file: string): Promise<Agent> {
  const { fields, body } = await readFrontMatter(source, file);
  const { name, description, tools, disallowedTools, model, permissionMode } = fields;
  return {
    name: typeof name === 'string' && name !== '' ? name : basename(file, '.md'),
    description: oneLine(description),
    prompt: body.trim(),
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

export const oneLine = (value: unknown): string =>
  typeof value === 'string' ? (value.trim().split('\n')[0] ?? '').trim() : '';
