// --tool-names: other names for tools and their arguments, everywhere in a conversation.
import { readFileSync } from 'node:fs';
import type { Head, Lose, Message, Part, Tool } from '../../lib/conversation/types.ts';
import { type Adaptation, eachMessage } from '../../lib/conversion/adaptation.ts';
import { headRenamed, messageRenamed } from '../../lib/dialects/codec/tool-names.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { TOOL_ALIASES } from './tool-aliases.ts';

/** What a tool is called from now on, and its arguments. */
interface Renamed {
  readonly name: string;
  readonly arguments: ReadonlyMap<string, string>;
}

/** The new names of a tool; undefined for one that keeps its own. */
type Naming = (name: string) => Renamed | undefined;

const REVERSE = 'reverse:';

/**
 * `claude-code`, `snake`, or a JSON file of `{"read": "Read"}` and `{"read": {"name": "Read", "arguments": {"path": "file_path"}}}`; `reverse:`
 * before any of them for the other way. Throws a Failure: 74 for a file that cannot be read, 78 for one that says something else.
 */
export function namingFor(given: string): Naming {
  const reversed = given.startsWith(REVERSE);
  const name = reversed ? given.slice(REVERSE.length) : given;
  if (name === 'claude-code') return reversed ? snake : claudeCode;
  if (name === 'snake') return reversed ? claudeCode : snake;
  return fromFile(name, reversed);
}

/** A name without its case and marks: `TodoWrite`, `todo_write` and `todowrite` are one. */
const bare = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

const byBareName = new Map(TOOL_ALIASES.map((alias) => [bare(alias.claude), alias]));

const claudeCode: Naming = (name) => {
  const alias = byBareName.get(bare(name));
  if (alias === undefined) return undefined;
  const names = Object.entries(alias.arguments ?? {}).flatMap(([claude, others]) =>
    others.map((other) => [other, claude] as const),
  );
  return { name: alias.claude, arguments: new Map(names.filter(([from, to]) => from !== to)) };
};

const snake: Naming = (name) => {
  const alias = byBareName.get(bare(name));
  if (alias === undefined) {
    const now = snakeCase(name);
    return now === name ? undefined : { name: now, arguments: new Map() };
  }
  const names = Object.entries(alias.arguments ?? {}).flatMap(([claude, [first, ...others]]) =>
    [claude, ...others].map((other) => [other, first] as const),
  );
  return { name: alias.snake, arguments: new Map(names.filter(([from, to]) => from !== to)) };
};

/** `MyTool` and `myTool` as `my_tool`. Names of MCP servers' tools (`mcp__github__getIssue`) are theirs. */
function snakeCase(name: string): string {
  if (name.startsWith('mcp__') || !/^[A-Za-z][A-Za-z0-9]*$/.test(name)) return name;
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

function fromFile(path: string, reversed: boolean): Naming {
  const table = new Map<string, Renamed>();
  for (const [from, to] of Object.entries(readTable(path))) {
    const { name, arguments: args } = renamed(from, to, path);
    const pairs = reversed ? [...args].map(([a, b]) => [b, a] as const) : [...args];
    const [key, value] = reversed ? [name, from] : [from, name];
    if (table.has(key) || [...table.values()].some((other) => other.name === value))
      throw bad(path, `two tools would be called "${reversed ? from : name}"`);
    table.set(key, { name: value, arguments: new Map(pairs) });
  }
  return (name) => table.get(name);
}

function readTable(path: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    const hint = 'use claude-code, snake, or a JSON file of names';
    throw new Failure(EXIT.io, 'cannot read the table of tool names', { place: path, hint });
  }
  try {
    const table: unknown = JSON.parse(text);
    if (isObject(table)) return table;
  } catch {
    // Said below.
  }
  throw bad(path, 'it is no JSON object');
}

function renamed(from: string, to: Json | undefined, path: string): Renamed {
  if (typeof to === 'string') return { name: to, arguments: new Map() };
  const { name = from, arguments: args = {} } = isObject(to) ? to : {};
  const pairs = isObject(args) ? Object.entries(args) : [];
  const good =
    isObject(to) && typeof name === 'string' && isObject(args) && pairs.every(([, value]) => typeof value === 'string');
  if (!good) throw bad(path, `"${from}" must have a name, or {"name": …, "arguments": {…}}`);
  return { name, arguments: new Map(pairs as [string, string][]) };
}

const bad = (place: string, why: string): Failure =>
  new Failure(EXIT.config, `cannot use the table of tool names: ${why}`, { place });

/** The adaptation. A tool whose new name another tool has already keeps its own, and that is said. */
export function withToolNames(naming: Naming): Adaptation {
  const kept = new Set<string>();
  const now = (name: string): Renamed | undefined => (kept.has(name) ? undefined : naming(name));
  const rename = (name: string): string => now(name)?.name ?? name;
  return eachMessage(
    (head, lose) => {
      keepTaken(head, naming, kept, lose);
      const tools = head.tools?.map((tool) => withArguments(tool, now(tool.name)));
      return headRenamed(tools?.some((tool, i) => tool !== head.tools?.[i]) ? { ...head, tools } : head, rename);
    },
    (message) => messageRenamed(withCalls(message, now), rename),
  );
}

function keepTaken(head: Head, naming: Naming, kept: Set<string>, lose: Lose): void {
  const own = new Set(head.tools?.map(({ name }) => name));
  for (const name of own) {
    const wanted = naming(name)?.name;
    if (wanted === undefined || wanted === name || !own.has(wanted)) continue;
    kept.add(name);
    lose(`tool name ${name}`, `it keeps it: another tool is called "${wanted}"`, 'renamed');
  }
}

function withArguments(tool: Tool, renamed: Renamed | undefined): Tool {
  const schema = tool.schema;
  if (tool.type !== 'function' || !isObject(schema) || !isObject(schema.properties) || !renamed?.arguments.size)
    return tool;
  const properties = keysRenamed(schema.properties, renamed);
  const required = Array.isArray(schema.required)
    ? schema.required.map((name) => nameIn(schema.properties as JsonObject, String(name), renamed))
    : undefined;
  return { ...tool, schema: { ...schema, properties, ...(required && { required }) } };
}

function withCalls(message: Message, now: Naming): Message {
  const parts = message.parts.map((part): Part => {
    const renamed = part.type === 'tool_call' && part.by !== 'provider' ? now(part.name) : undefined;
    if (part.type !== 'tool_call' || !renamed?.arguments.size || !isObject(part.input)) return part;
    return { ...part, input: keysRenamed(part.input, renamed) };
  });
  return parts.every((part, i) => part === message.parts[i]) ? message : { ...message, parts };
}

const keysRenamed = (object: JsonObject, renamed: Renamed): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [nameIn(object, key, renamed), value]));

/** The new name of a key, unless the object has it already. */
function nameIn(object: JsonObject, key: string, renamed: Renamed): string {
  const now = renamed.arguments.get(key);
  return now === undefined || Object.hasOwn(object, now) ? key : now;
}
