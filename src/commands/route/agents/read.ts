// The agents of a directory: Markdown with front matter, as in .claude/agents. https://code.claude.com/docs/en/sub-agents
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadYaml, parseYaml, type YamlParser } from '../../../lib/config/yaml.ts';
import { EXIT, Failure } from '../../../lib/ir/failure.ts';
import { isObject, type JsonObject } from '../../../lib/ir/json.ts';

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
  const yaml = await loadYaml();
  const found = new Map<string, Agent>();
  for (const file of directories.flatMap((directory) => filesOf(directory, cwd)))
    try {
      const agent = readAgent(readFileSync(resolve(cwd, file), 'utf8'), file, yaml);
      if (!found.has(agent.name)) found.set(agent.name, agent);
    } catch (error) {
      problem(error instanceof Failure ? error : cannotRead(file, error));
    }
  if (found.size > 0) return [...found.values()];
  throw new Failure(EXIT.config, 'there are no agents', { place: directories.join(', ') });
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
  const why = code === 'ENOENT' ? 'no such file' : code === 'ENOTDIR' ? 'it is no directory' : 'it cannot be read';
  return new Failure(EXIT.config, `cannot read the agents: ${why}`, { place });
}

/** Without a name of its own an agent is called after its file. */
function readAgent(text: string, file: string, yaml: YamlParser): Agent {
  const { name, description, model } = fieldsOf(frontOf(text, file), file, yaml);
  return {
    name: typeof name === 'string' && name !== '' ? name : basename(file, '.md'),
    description: typeof description === 'string' ? description : '',
    ...(typeof model === 'string' && model !== '' && model !== 'inherit' && { model }),
    file,
  };
}

function frontOf(text: string, file: string): string {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() === '---' && end > 0) return lines.slice(1, end).join('\n');
  throw new Failure(EXIT.config, 'it is no agent: it has no front matter', { place: file });
}

/** A description with a colon in it, without quotes, is no YAML, and yet common: such a line is read to its end. */
function fieldsOf(front: string, file: string, yaml: YamlParser): JsonObject {
  try {
    const { value } = parseYaml(yaml, front, file);
    return isObject(value) ? value : {};
  } catch (error) {
    const lines = front.split('\n').flatMap((line) => {
      const [, key, value] = /^(\w+):[ \t]+(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()] as const];
    });
    if (lines.length === 0) throw error;
    return Object.fromEntries(lines);
  }
}
