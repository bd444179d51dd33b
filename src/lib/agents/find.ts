// The agents and modes there are: those of the files and directories that were named, and nothing else.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, Failure } from '../failure/failure.ts';
import { installed } from '../processes/installed.ts';
import type { Agent } from './agent.ts';
import { fromMarkdown } from './markdown.ts';
import { fromModesFile } from './modes-file.ts';

/** The word for the agents that come with the programs. */
const BUILTIN = 'builtin';

export interface Where {
  /** Directories of Markdown files, Markdown files, and files of modes, separated by colons; undefined: those that come along. */
  readonly list: string | undefined;
  readonly cwd: string;
}

interface Found {
  readonly agents: readonly Agent[];
  /** What could not be read. */
  readonly problems: readonly Failure[];
}

/** Every agent and mode; where two have one name, the first counts. Throws a Failure (78) for a place that cannot be read. */
export async function agentsIn({ list, cwd }: Where): Promise<Found> {
  const names = (list ?? BUILTIN).split(':').filter(Boolean);
  const problems: Failure[] = [];
  const found = new Map<string, Agent>();
  for (const name of names)
    for (const file of filesOf(name === BUILTIN ? builtin() : resolve(cwd, name), name))
      for (const agent of await read(file, problems)) if (!found.has(agent.name)) found.set(agent.name, agent);
  return { agents: [...found.values()], problems };
}

/** One agent: by its name, or by its file if there is a slash in it. Throws a Failure (78) if there is none. */
export async function agentNamed(name: string, where: Where): Promise<Agent> {
  if (name.includes('/')) return fromMarkdown(textOf(resolve(where.cwd, name), name), name);
  const { agents, problems } = await agentsIn(where);
  const agent = agents.find((each) => each.name === name);
  if (agent) return agent;
  const [problem] = problems;
  const hint = problem
    ? `${problem.place}: ${problem.message}`
    : `there are ${agents.map((each) => each.name).join(', ') || 'none'}; AI_AGENTS lists the places to look`;
  throw new Failure(EXIT.config, `there is no agent "${name}"`, { hint });
}

function filesOf(path: string, name: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((file) => file.endsWith('.md'))
      .sort()
      .map((file) => join(path, file));
  } catch (error) {
    throw unreadable(error, name);
  }
}

async function read(file: string, problems: Failure[]): Promise<Agent[]> {
  try {
    const text = textOf(file, file);
    return file.endsWith('.md') ? [await fromMarkdown(text, file)] : await fromModesFile(text, file);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problems.push(error);
    return [];
  }
}

/** Whoever may write to an agent says what it does. */
function textOf(file: string, name: string): string {
  try {
    if ((statSync(file).mode & 0o002) !== 0)
      throw new Failure(EXIT.config, 'cannot trust the file: everyone may write to it', {
        place: name,
        hint: `chmod o-w ${name}`,
      });
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(error, name);
  }
}

function unreadable(error: unknown, place: string): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Failure(EXIT.config, `cannot read the agents: ${code === 'ENOENT' ? 'no such file' : message}`, { place });
}

function builtin(): string {
  const path = installed('agents');
  if (path !== undefined) return path;
  throw new Failure(EXIT.config, 'cannot find the built-in agents: they are not installed', { place: BUILTIN });
}
