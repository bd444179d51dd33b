// Which server is meant: a name in a file of servers (`.mcp.json`), an address of the web, or a command.
import { trustedText } from '../config/trusted.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type Json, type JsonObject } from '../json/values.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface StdioServer {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface HttpServer {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Server = StdioServer | HttpServer;

/** A server as it was named, its entry as the file has it, and the same with its variables filled in. */
export interface Named {
  readonly name: string;
  readonly entry: JsonObject;
  readonly server: Server;
}

/**
 * Finds a server. Later files win. Throws a Failure: 64 for a name without a file of servers, 78 for a file that cannot be read or trusted, or a
 * variable that is not set.
 */
export function findServer(name: string, files: readonly string[], cwd: string, env: Env): Named {
  const all = new Map(files.flatMap((file) => serversIn(file, cwd)));
  const entry = all.get(name) ?? written(name);
  if (entry === undefined) throw unknown(name, files, [...all.keys()]);
  return { name: all.has(name) ? name : nameFor(entry), entry, server: readServer(name, filled(entry, env, name)) };
}

function serversIn(file: string, cwd: string): [string, JsonObject][] {
  const text = trustedText(file, cwd);
  const value = parsed(text, file);
  const servers = isObject(value) ? (value.mcpServers ?? value.servers) : undefined;
  if (!isObject(servers))
    throw new Failure(EXIT.config, 'cannot read the servers: the file has no "mcpServers"', {
      place: file,
      hint: 'it must be an object with "mcpServers": {NAME: {"command", "args", "env"} or {"type": "http", "url"}}',
    });
  return Object.entries(servers).filter((pair): pair is [string, JsonObject] => isObject(pair[1]));
}

function parsed(text: string, file: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(EXIT.config, `cannot read the servers: ${(error as Error).message}`, { place: file });
  }
}

/** A server that is written out where its name would be. */
function written(text: string): JsonObject | undefined {
  if (/^https?:\/\//.test(text)) return { type: 'http', url: text };
  // One word may be a slip of the pen; a command has arguments or a path.
  return /[\s/]/.test(text.trim()) ? { command: '/bin/sh', args: ['-c', `exec ${text}`] } : undefined;
}

function unknown(name: string, files: readonly string[], names: readonly string[]): Failure {
  if (files.length === 0)
    return new Failure(EXIT.usage, `there is no server "${name}": no --config file was given`, {
      hint: 'use --config FILE or AI_MCP, or give a URL or a command in quotes',
    });
  return new Failure(EXIT.config, `there is no server "${name}"`, { place: files.join(', '), hint: names.join(', ') });
}

/** A name for a server that has none. */
function nameFor({ url, args }: JsonObject): string {
  if (typeof url === 'string') {
    const { hostname } = new URL(url);
    const host = hostname.replace(/^(www|mcp|api)\./, '').replace(/\.[^.]*$/, '');
    return /^[\d.[]/.test(host) || host === '' ? 'server' : host;
  }
  const words = Array.isArray(args)
    ? String(args[1])
        .replace(/^exec /, '')
        .split(/\s+/)
    : [];
  const last =
    words.filter((word) => !word.startsWith('-')).at(words[0] === 'npx' || words[0] === 'node' ? 1 : 0) ?? '';
  const parts = last.split('/').filter((part) => !/^(dist|build|index\.[cm]?js|main\.[cm]?js|bin)$/.test(part));
  return (parts.at(-1) ?? '').replace(/^(mcp-)?server-/, '').replace(/\.\w+$/, '') || 'server';
}

/** The variables that an entry names, in order: `${NAME}` and `${NAME:-default}`. */
export function variablesIn(entry: JsonObject): string[] {
  return [...new Set([...JSON.stringify(entry).matchAll(/\$\{(\w+)(?::-[^}]*)?\}/g)].map(([, name = '']) => name))];
}

function filled(entry: JsonObject, env: Env, server: string): JsonObject {
  const fill = (text: string): string =>
    text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
      const value = env[name] || fallback;
      if (value !== undefined) return value;
      throw new Failure(EXIT.config, `the server "${server}" needs the variable ${name}, which is not set`);
    });
  const walk = (value: Json | undefined): Json => {
    if (typeof value === 'string') return fill(value);
    if (Array.isArray(value)) return value.map(walk);
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
    return value ?? null;
  };
  return walk(entry) as JsonObject;
}

function readServer(name: string, { type, command, args, env, cwd, url, headers }: JsonObject): Server {
  const bad = (what: string) => new Failure(EXIT.config, `the server "${name}" ${what}`);
  if (typeof url === 'string') {
    if (type === 'sse') throw bad('uses the SSE transport of 2024, which is not supported');
    if (!/^https?:\/\//.test(url)) throw bad('has a URL that is not http or https');
    return { type: 'http', url, headers: texts(headers) };
  }
  if (typeof command !== 'string') throw bad('has neither a command nor a URL');
  const list = args ?? [];
  if (!Array.isArray(list) || !list.every((each) => typeof each === 'string'))
    throw bad('has arguments that are not strings');
  return { type: 'stdio', command, args: list, env: texts(env), ...(typeof cwd === 'string' && { cwd }) };
}

function texts(value: Json | undefined): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([key, each]) => (each === null || each === undefined ? [] : [[key, String(each)]])),
  );
}
