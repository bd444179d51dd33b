// The tools there are: an executable and a JSON file beside it, in directories that were named.
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { installed } from '../../lib/processes/installed.ts';

/** A tool as its JSON file describes it: an MCP Tool object and a few fields of ours. */
export interface Tool {
  readonly name: string;
  readonly executable: string;
  readonly description?: string;
  readonly schema: Json;
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** Several may run at once. */
  readonly parallel: boolean;
  /** Running it twice is as good as once. */
  readonly idempotent: boolean;
  /** It reads from the network. */
  readonly tainting: boolean;
  /** Variables that it gets besides the usual ones, by name or with a star at one end. */
  readonly env: readonly string[];
  readonly timeout?: number;
  /** `mcp`: it prints one CallToolResult object. */
  readonly output: 'text' | 'mcp';
  /** It asks the person, and needs the terminal for that. */
  readonly terminal: boolean;
}

/** The word for the tools that come with the programs. */
const BUILTIN = 'builtin';

/** Finds tools by name. A name is looked up in what the directories hold; no path is ever made of it. */
export class Toolbox {
  readonly #files = new Map<string, string>();
  readonly #known = new Map<string, Tool | string>();

  /** Earlier directories come first; `has` says which names there are. Throws a Failure (78) for one that cannot be read or that anybody may write to. */
  constructor(directories: readonly string[], cwd: string, has: (name: string) => boolean) {
    for (const directory of directories) {
      const path = directory === BUILTIN ? builtin() : resolve(cwd, directory);
      for (const name of list(path, directory))
        if (!this.#files.has(name) && has(name)) this.#files.set(name, join(path, name));
    }
  }

  get names(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** The tool; why it cannot be used, as a clause; undefined if there is none of this name. */
  find(name: string): Tool | string | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const file = this.#files.get(name);
    if (file === undefined) return undefined;
    const tool = load(name, file);
    this.#known.set(name, tool);
    return tool;
  }
}

function list(path: string, directory: string): string[] {
  try {
    if ((statSync(path).mode & 0o1002) === 0o002)
      throw new Failure(EXIT.config, 'cannot trust the tools: everyone may write to the directory', {
        place: directory,
      });
    const files = new Set(readdirSync(path));
    return [...files]
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -5))
      .filter((name) => files.has(name))
      .sort();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such directory' : (error as Error).message;
    throw new Failure(EXIT.config, `cannot read the tools: ${why}`, { place: directory });
  }
}

function load(name: string, file: string): Tool | string {
  try {
    for (const path of [file, `${file}.json`])
      if ((statSync(path).mode & 0o002) !== 0) return `everyone may write to ${path}`;
    if (!statSync(file).isFile()) return `${file} is not a file`;
    accessSync(file, constants.X_OK);
    const described: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
    if (!isObject(described)) return `${file}.json is not a JSON object`;
    return describe(name, file, described);
  } catch (error) {
    return `${file} cannot be used: ${(error as Error).message}`;
  }
}

function describe(name: string, executable: string, described: JsonObject): Tool | string {
  if (described.name !== undefined && described.name !== name) return `${executable}.json names another tool`;
  const { description, inputSchema, env, timeout, output, terminal } = described;
  const annotations = isObject(described.annotations) ? described.annotations : {};
  return {
    name,
    executable,
    ...(typeof description === 'string' && { description }),
    schema: inputSchema ?? { type: 'object' },
    readOnly: annotations.readOnlyHint === true,
    parallel: annotations.readOnlyHint === true || described.parallel === true,
    idempotent: annotations.idempotentHint === true,
    tainting: annotations.openWorldHint === true,
    env: Array.isArray(env) ? env.filter((each) => typeof each === 'string') : [],
    ...(typeof timeout === 'number' && { timeout }),
    output: output === 'mcp' ? 'mcp' : 'text',
    terminal: terminal === true,
  };
}

function builtin(): string {
  const path = installed('tools');
  if (path !== undefined) return path;
  throw new Failure(EXIT.config, 'cannot find the built-in tools: they are not installed', { place: BUILTIN });
}
