// What a tool is: arguments in, text out. The tools that come with the programs; others may be any executable.
import { EXIT } from '../failure/failure.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import type { Io } from './io.ts';
import type { Terminal } from './terminal.ts';

/** All that a tool may know of the world. */
export interface ToolContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly openTerminal: () => Terminal | undefined;
  /** Writes a part of the result as it comes. */
  readonly print: (text: string) => void;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** The result: a text; content blocks as in MCP; or nothing more than was printed, and an exit status. */
export type ToolResult = string | { readonly content: readonly JsonObject[] } | { readonly status: number };

export type Tool = (input: JsonObject, context: ToolContext) => ToolResult | Promise<ToolResult>;

/** A tool that cannot do what it was asked. The message is for the model: what, why, and what to do. */
export class ToolError extends Error {}

/** Runs a tool once: reads its arguments, writes its result. Returns the exit status: 0, 1 if it failed, 64 for arguments that are no object. */
export async function runTool(tool: Tool, io: Io): Promise<number> {
  const parts: Buffer[] = [];
  // Copied: a chunk is overwritten by the next one.
  for (const chunk of io.stdin.chunks()) parts.push(Buffer.from(chunk));
  const input = argumentsIn(Buffer.concat(parts).toString('utf8'));
  if (input === undefined) {
    io.writeStderr('the arguments must be one JSON object on standard input\n');
    return EXIT.usage;
  }
  try {
    return write(await tool(input, contextOf(io)), io);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    io.writeStderr(`${error instanceof ToolError ? error.message : `internal error: ${error.message}`}\n`);
    return error instanceof ToolError ? EXIT.no : EXIT.bug;
  }
}

function write(result: ToolResult, io: Io): number {
  if (typeof result === 'string')
    io.writeStdout(Buffer.from(result === '' || result.endsWith('\n') ? result : `${result}\n`));
  else if ('content' in result) io.writeStdout(Buffer.from(`${JSON.stringify(result)}\n`));
  else return result.status;
  return EXIT.ok;
}

function argumentsIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function contextOf(io: Io): ToolContext {
  return {
    env: io.env,
    get cwd() {
      return io.cwd;
    },
    openTerminal: () => io.openTerminal(),
    print: (text) => io.writeStdout(Buffer.from(text)),
    random: () => io.random(),
    get signal() {
      return io.signal;
    },
  };
}
