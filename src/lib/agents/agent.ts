// What an agent is: who works on a conversation, with which tools.
import { kindOf } from '../permissions/rule.ts';

export interface Agent {
  readonly name: string;
  /** One line: when to use it. */
  readonly description: string;
  /** What it is told about itself; may be empty. */
  readonly prompt: string;
  readonly model?: string;
  /** The only tools that it has; without a list it has all. `mcp__server` stands for all tools of that server, `*` for any text. */
  readonly tools?: readonly string[];
  /** Tools that it does not have, though the list may name them. */
  readonly without: readonly string[];
  /** A regular expression: it edits only files whose path, as the call has it, matches. */
  readonly edits?: string;
  /** The file that it stands in. */
  readonly file: string;
}

/** Whether an agent has a tool of this name. */
export function hasTool({ tools, without }: Agent, name: string): boolean {
  const stands = (listed: string) => standsFor(listed, name);
  return (tools?.some(stands) ?? true) && !without.some(stands);
}

function standsFor(listed: string, name: string): boolean {
  if (listed === name || listed === '*') return true;
  if (listed.endsWith('*')) return name.startsWith(listed.slice(0, -1));
  // Claude Code calls one tool by either name.
  if (kindOf(listed) === 'agent' && kindOf(name) === 'agent') return listed === 'Agent' && name === 'Task';
  return listed.startsWith('mcp__') && name.startsWith(`${listed}__`);
}
