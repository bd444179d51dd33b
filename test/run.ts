// Runs programs in this process, on bytes and options as a shell would give them.
import { readFileSync } from 'node:fs';
import { parse } from 'shell-quote';
import { COMMANDS } from '../src/commands/table.ts';
import type { Io } from '../src/lib/cli/io.ts';
import { main } from '../src/lib/cli/main.ts';
import type { Terminal } from '../src/lib/cli/terminal.ts';
import { runTool } from '../src/lib/cli/tool.ts';
import type { Input } from '../src/lib/jsonl/read.ts';
import { TOOLS } from '../src/tools/table.ts';

export interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array | readonly Uint8Array[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly terminal?: Terminal;
  readonly signal?: AbortSignal;
  readonly stdinIsTerminal?: boolean;
  readonly onStdout?: (bytes: Uint8Array) => void;
}

/** One program. Time stands at 2026-01-02T03:04:05Z and chance is 0.5. */
export async function run(name: string, argv: readonly string[], options: RunOptions = {}): Promise<Result> {
  const load = COMMANDS[name];
  if (!load) throw new Error(`no such program: ${name}`);
  const out: Uint8Array[] = [];
  const err: string[] = [];
  const { default: filter } = await load();
  const status = await main(filter, argv, fakeIo(options, out, err));
  return { stdout: Buffer.concat(out).toString('utf8'), stderr: err.join(''), status };
}

function fakeIo(options: RunOptions, out: Uint8Array[], err: string[]): Io {
  const given = options.stdin ?? '';
  const chunks = typeof given === 'string' ? [Buffer.from(given)] : given instanceof Uint8Array ? [given] : given;
  return {
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    stdin: input('-', () => chunks),
    stdinIsTerminal: options.stdinIsTerminal ?? false,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    openTerminal: () => options.terminal,
    open: (path) => input(path, () => [readFileSync(path)]),
    writeStdout: (bytes) => {
      options.onStdout?.(bytes);
      out.push(Buffer.from(bytes));
    },
    writeStderr: (text) => err.push(text),
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
    random: () => 0.5,
    signal: options.signal ?? new AbortController().signal,
  };
}

function input(name: string, chunks: () => Iterable<Uint8Array>): Input {
  return {
    name,
    chunks,
    async *asyncChunks() {
      yield* chunks();
    },
  };
}

/** A command line of programs joined by pipes. The status is that of the last; all say what they say. */
export async function shell(line: string, options: RunOptions = {}): Promise<Result> {
  const stages = split(line, options.env ?? {});
  let result: Result = { stdout: '', stderr: '', status: 0 };
  let stdin = options.stdin;
  let said = '';
  for (const [name = '', ...argv] of stages) {
    result = await run(name, argv, { ...options, stdin });
    stdin = result.stdout;
    said += result.stderr;
  }
  return { ...result, stderr: said };
}

function split(line: string, env: Readonly<Record<string, string>>): string[][] {
  const stages: string[][] = [[]];
  for (const word of parse(line, { ...env })) {
    if (typeof word === 'string') stages.at(-1)?.push(word);
    else if ('op' in word && word.op === '|') stages.push([]);
    else throw new Error(`a case is a pipe of programs, and nothing else: ${line}`);
  }
  return stages;
}

/** One tool, with its arguments as JSON text or a value. */
export async function useTool(name: string, input: unknown, options: RunOptions = {}): Promise<Result> {
  const load = TOOLS[name];
  if (!load) throw new Error(`no such tool: ${name}`);
  const out: Uint8Array[] = [];
  const err: string[] = [];
  const stdin = typeof input === 'string' ? input : JSON.stringify(input);
  const status = await runTool((await load()).default, fakeIo({ ...options, stdin }, out, err));
  return { stdout: Buffer.concat(out).toString('utf8'), stderr: err.join(''), status };
}
