// Fewer tools: those of an agent, and of the agents that it works for.
import { relative, resolve } from 'node:path';
import { type Agent, hasTool } from '../../lib/agents/agent.ts';
import { agentNamed, agentsIn, type Where } from '../../lib/agents/find.ts';
import { compile, loadRegex, type Matcher } from '../../lib/config/regex.ts';
import type { CallRecord } from '../../lib/conversation/loop-records.ts';
import { realPath } from '../../lib/permissions/paths.ts';
import { kindOf } from '../../lib/permissions/rule.ts';
import { pathsNamed } from '../../lib/permissions/subject.ts';
import { quoted } from '../../lib/text/control-characters.ts';

interface NarrowingOptions extends Where {
  readonly agent: string | undefined;
  /** Names of tools; empty: all. */
  readonly only: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Narrowing {
  readonly agent?: Agent;
  has(tool: string): boolean;
  /** Whether the model is told of a tool: one who may switch to other modes is told of theirs too. */
  tells(tool: string): boolean;
  /** Why a call may not run, as a clause. */
  objection(call: CallRecord): string | undefined;
  /** What a sub-agent gets, so that it has no more than this. */
  readonly env: Readonly<Record<string, string>>;
}

/** Throws a Failure (78) for an agent that is not there. */
export async function narrowingOf({ agent: name, only, env, ...where }: NarrowingOptions): Promise<Narrowing> {
  const above = split(env.AI_WITHIN, ':');
  const named = name === undefined ? above : [...above, name.includes('/') ? resolve(where.cwd, name) : name];
  const agents = await Promise.all(named.map((each) => agentNamed(each, where)));
  const agent = name === undefined ? undefined : agents.at(-1);
  const others = agent && hasTool(agent, 'switch_mode') ? (await agentsIn(where)).agents : [];
  const lists = [only, split(env.AI_ONLY, ',')].filter((list) => list.length > 0).map((list) => new Set(list));
  const editable = await Promise.all(agents.filter(({ edits }) => edits !== undefined).map(editableBy));
  const listed = (tool: string) => lists.every((list) => list.has(tool));
  const has = (tool: string) => listed(tool) && agents.every((each) => hasTool(each, tool));
  const both = lists.length === 2 ? only.filter((tool) => lists[1]?.has(tool)) : [...(lists[0] ?? [])];
  return {
    ...(agent && { agent }),
    has,
    tells: (tool) =>
      has(tool) || (listed(tool) && others.some((each) => each.file === agent?.file && hasTool(each, tool))),
    objection: (call) => objectionTo(call, editable, where.cwd),
    env: {
      ...(named.length > 0 && { AI_WITHIN: named.join(':') }),
      ...(lists.length > 0 && { AI_ONLY: both.join(',') || 'none' }),
    },
  };
}

const split = (value: string | undefined, by: string): string[] => (value ?? '').split(by).filter(Boolean);

interface Editable {
  readonly name: string;
  readonly pattern: string;
  readonly matches: Matcher;
}

async function editableBy({ name, edits = '', file }: Agent): Promise<Editable> {
  return { name, pattern: edits, matches: compile(await loadRegex(), edits, file) };
}

function objectionTo(call: CallRecord, editable: readonly Editable[], cwd: string): string | undefined {
  if (editable.length === 0 || kindOf(call.name) !== 'edit') return undefined;
  const paths = pathsNamed(call) ?? [];
  for (const { name, pattern, matches } of editable) {
    const other = paths.find((path) => !matches(whereLeads(path, cwd)));
    if (other !== undefined || paths.length === 0)
      return `${name} edits only files that match ${quoted(pattern, 200)}${other === undefined ? '' : `, not ${quoted(other)}`}`;
  }
  return undefined;
}

/** The path from the working directory, links followed; where that cannot be known, what no sensible pattern matches. */
function whereLeads(path: string, cwd: string): string {
  try {
    return relative(realPath('.', cwd), realPath(path, cwd));
  } catch {
    return '';
  }
}
