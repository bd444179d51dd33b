// Tools of a server as executables, for ai-exec: each a short shell script and the description it was installed with.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Context } from '../../lib/cli/filter.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { type Named, variablesIn } from '../../lib/mcp/servers.ts';
import { quoted, withoutControls } from '../../lib/text/control-characters.ts';

interface InstallOptions {
  readonly directory: string;
  readonly only: readonly string[];
}

/** Names of tools that may become names of files, and that every API takes. */
const PLAIN = /^[\w-]{1,64}$/;

/** Writes the files, all of them, and gives a record of each. What was installed before and is offered no more is removed. */
export function install(tools: readonly JsonObject[], named: Named, options: InstallOptions, context: Context): Rec[] {
  const directory = resolve(context.cwd, options.directory);
  const server = named.name.replace(/[^\w-]/g, '_');
  const wanted = tools.filter(({ name }) => options.only.length === 0 || options.only.includes(String(name)));
  const strange = options.only.find((name) => !tools.some((tool) => tool.name === name));
  if (strange !== undefined)
    throw new Failure(EXIT.usage, `the server has no tool "${strange}"`, {
      hint: tools.map(({ name }) => name).join(', '),
    });
  writing(directory, () => mkdirSync(directory, { recursive: true, mode: 0o755 }));
  write(
    join(directory, `${server}.mcp.json`),
    `${JSON.stringify({ mcpServers: { [server]: named.entry } }, null, 2)}\n`,
    0o644,
  );
  const records: Rec[] = [];
  const installed = new Set<string>();
  for (const tool of wanted) {
    const full = `mcp__${server}__${String(tool.name)}`;
    const problem = PLAIN.test(full) ? undefined : 'its name cannot be a file name, or is longer than 64 characters';
    if (problem !== undefined) context.note(`${quoted(String(tool.name))} is skipped: ${problem}`);
    else {
      installed.add(full);
      records.push(
        record({ type: 'installed', tool: full, change: one(directory, full, server, tool, variablesIn(named.entry)) }),
      );
    }
  }
  if (options.only.length === 0) records.push(...removed(directory, server, installed));
  return records;
}

/** The script. What the tool says of itself, that it failed too, is in its result; other statuses say that there was none. */
function script(server: string, tool: string): string {
  return `#!/bin/sh
# ${MARK} ${server}
ai-mcp --config "\${0%/*}/${server}.mcp.json" --json ${server} ${tool} || [ $? -eq 1 ]
`;
}

const MARK = 'An MCP tool of the server';

function one(directory: string, full: string, server: string, tool: JsonObject, env: readonly string[]): string {
  const file = join(directory, full);
  const told = clean(tool) as JsonObject;
  // Only these: what a tool may have of us is not for the server to say.
  const { title, description, inputSchema, outputSchema, annotations } = told;
  const about = { title, description, inputSchema, outputSchema, annotations };
  const described = { name: full, ...about, output: 'mcp', ...(env.length > 0 && { env: [...env] }) };
  const texts: readonly [string, string, number][] = [
    [file, script(server, String(told.name)), 0o755],
    [`${file}.json`, `${JSON.stringify(described, null, 2)}\n`, 0o644],
  ];
  const before = texts.map(([path]) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
  for (const [path, text, mode] of texts) write(path, text, mode);
  if (before.includes(undefined)) return 'new';
  return texts.every(([, text], i) => text === before[i]) ? 'same' : 'changed';
}

/** Descriptions are a stranger's words to the model: nothing invisible stays in them. */
function clean(value: Json | undefined): Json {
  if (typeof value === 'string') return withoutControls(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [withoutControls(key), clean(each)]));
}

/** Whole or not at all. */
function write(path: string, text: string, mode: number): void {
  writing(path, () => {
    const beside = `${path}.new`;
    rmSync(beside, { force: true });
    writeFileSync(beside, text, { mode, flag: 'wx' });
    renameSync(beside, path);
  });
}

function writing(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new Failure(EXIT.io, `cannot write the file: ${(error as Error).message}`, { place: path });
  }
}

/** Takes away the scripts of this server, and only those, whose tools are gone. */
function* removed(directory: string, server: string, installed: ReadonlySet<string>): Generator<Rec> {
  for (const file of readdirSync(directory).sort()) {
    if (!file.startsWith(`mcp__${server}__`) || file.endsWith('.json') || installed.has(file)) continue;
    const path = join(directory, file);
    if (readFileSync(path, 'utf8').split('\n')[1] !== `# ${MARK} ${server}`) continue;
    rmSync(path);
    rmSync(`${path}.json`, { force: true });
    yield record({ type: 'installed', tool: basename(path), change: 'gone' });
  }
}
