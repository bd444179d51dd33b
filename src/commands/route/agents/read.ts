// The agents of a directory: Markdown with front matter, as in .claude/agents. https://code.claude.com/docs/en/sub-agents
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { readFrontMatter } from '../../../lib/agents/front-matter.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';

/** What routing looks at in an agent. */
export interface Agent {
  readonly name: string;
  readonly description: string;
  readonly model?: string;
  readonly file: string;
}

/**
 * The agents of some directories, by the names of their files; of two with one name, the first. Files that are no agents are told to `problem`.
 * Throws a Failure (78) for a directory that cannot be read, or if there are no agents at all.
 */
export async function readAgents(
  directories: readonly string[],
  cwd: string,
  problem: (failure: Failure) => void,
): Promise<Agent[]> {
  const found = new Map<string, Agent>();
  for (const file of directories.flatMap((directory) => filesOf(directory, cwd)))
    try {
      const agent = await readAgent(file, cwd);
      if (!found.has(agent.name)) found.set(agent.name, agent);
    } catch (error) {
      problem(error instanceof Failure ? error : cannotRead(file, error));
    }
  if (found.size > 0) return [...found.values()];
  throw new Failure(EXIT.config, 'cannot find any agents', { place: directories.join(', ') });
}

function filesOf(directory: string, cwd: string): string[] {
  try {
    const names = readdirSync(resolve(cwd, directory));
    return names
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => join(directory, name));
  } catch (error) {
    throw cannotRead(directory, error);
  }
}

function cannotRead(place: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException;
  const why = code === 'ENOENT' ? 'no such file' : code === 'ENOTDIR' ? 'it is not a directory' : 'it cannot be read';
  return new Failure(EXIT.config, `cannot read the agents: ${why}`, { place });
}

/** Without a name of its own an agent is called after its file. */
async function readAgent(file: string, cwd: string): Promise<Agent> {
  const { fields } = await readFrontMatter(readFileSync(resolve(cwd, file), 'utf8'), file);
  const { name, description, model } = fields;
  return {
    name: typeof name === 'string' && name !== '' ? name : basename(file, '.md'),
    description: typeof description === 'string' ? description : '',
    ...(typeof model === 'string' && model !== '' && model !== 'inherit' && { model }),
    file,
  };
}
