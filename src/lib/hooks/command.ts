// One hook that is a command.
import { existsSync } from 'node:fs';
import type { JsonObject } from '../json/values.ts';
import { allowedEnvironment } from '../processes/environment.ts';
import { runProcess } from '../processes/process.ts';
import type { Ended } from './answer.ts';
import type { CommandHandler } from './settings.ts';

export interface RunnerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that hooks get besides the usual ones. */
  readonly names: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** The fields that every event has: session_id, transcript_path, cwd, permission_mode. */
  readonly base: JsonObject;
}

/** Bytes of an output that are kept. */
const MOST = 1 << 20;

/** What a desktop needs for a notification; no secrets. */
const DESKTOP =
  'DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_SESSION_TYPE COLORTERM TERM_PROGRAM TMUX'.split(
    ' ',
  );

/** Runs a command to its end, its input on standard input. With `async` it is only started. */
export async function runCommand(
  handler: CommandHandler,
  input: JsonObject,
  seconds: number,
  options: RunnerOptions,
): Promise<Ended> {
  const { cwd, signal } = options;
  const env = environmentOf(handler, options);
  const { command, args } = lineOf(handler, env);
  const stdin = `${JSON.stringify(input)}\n`;
  if (handler.async) return started(command, args, stdin, cwd, env);
  const out = new Kept();
  const err = new Kept();
  const ended = await runProcess({
    command,
    args,
    cwd,
    env,
    stdin,
    timeoutMs: seconds * 1000,
    signal,
    onStdout: (chunk) => out.push(chunk),
    onStderr: (chunk) => err.push(chunk),
  });
  const said = { stdout: out.text, stderr: err.text };
  const failure = failureOf(ended, seconds);
  return {
    ...said,
    ...(ended.status !== undefined && { status: ended.status }),
    ...(failure !== undefined && { failure }),
  };
}

function failureOf(ended: Awaited<ReturnType<typeof runProcess>>, seconds: number): string | undefined {
  if (ended.failure !== undefined) return `it cannot be started: ${ended.failure}`;
  if (ended.by === 'timeout') return `it took longer than ${seconds} s and was ended`;
  if (ended.by === 'interrupt') return 'it was interrupted';
  return ended.signal === undefined ? undefined : `it was ended by ${ended.signal}`;
}

function environmentOf({ root }: CommandHandler, { env, names, cwd }: RunnerOptions): Record<string, string> {
  return allowedEnvironment(env, [...DESKTOP, ...names], {
    CLAUDE_PROJECT_DIR: env.CLAUDE_PROJECT_DIR || cwd,
    CLAUDE_PLUGIN_ROOT: root,
  });
}

/** bash reads commands as Claude Code's does; without its start-up files, which it would read because its input is a socket. */
function lineOf({ command, args }: CommandHandler, env: Record<string, string>): { command: string; args: string[] } {
  if (args !== undefined) return { command: filled(command, env), args: args.map((arg) => filled(arg, env)) };
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path));
  return bash ? { command: bash, args: ['--norc', '-c', command] } : { command: '/bin/sh', args: ['-c', command] };
}

/** Without a shell, the variables of hooks are put in here. */
const filled = (text: string, env: Record<string, string>): string =>
  text.replace(/\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\}/g, (_, name: string) => env[name] ?? '');

function started(
  command: string,
  args: readonly string[],
  stdin: string,
  cwd: string,
  env: Record<string, string>,
): Promise<Ended> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const done = (ended: Ended) => {
      child.unref();
      resolve(ended);
    };
    child.on('error', (error) => done({ stdout: '', stderr: '', failure: `it cannot be started: ${error.message}` }));
    child.stdin.on('error', () => done({ status: 0, stdout: '', stderr: '' }));
    child.stdin.end(stdin, () => done({ status: 0, stdout: '', stderr: '' }));
  });
}

/** The beginning of an output. */
class Kept {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  push(chunk: Uint8Array): void {
    const room = MOST - this.#length;
    if (room <= 0) return;
    this.#chunks.push(chunk.subarray(0, room));
    this.#length += Math.min(chunk.length, room);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
