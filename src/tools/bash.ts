// Bash: a command of the shell.
import { realpathSync, statSync } from 'node:fs';
import { type Tool, type ToolContext, ToolError } from '../lib/cli/tool.ts';
import { optionalInteger, optionalText, text } from './fields.ts';
import { readable } from './roots.ts';
import { watchParent } from './watch-parent.ts';

const LONGEST = 600_000;

/** Both outputs come in the order in which the command writes them. The exit status is the command's. */
const bash: Tool = async (input, context) => {
  const command = text(input, 'command');
  if (command.includes('\0')) throw new ToolError('the command has a NUL in it');
  const cwd = directory(input, context);
  const timeout = Math.min(optionalInteger(input, 1, 'timeout') ?? 120_000, LONGEST);
  watchParent(context);
  return { status: await run(command, cwd, timeout, context) };
};

export default bash;

function directory(input: Parameters<Tool>[0], context: ToolContext): string {
  const named = optionalText(input, 'cwd');
  if (named === undefined) return context.cwd;
  const real = readable(named, context);
  if (!statSync(real, { throwIfNoEntry: false })?.isDirectory()) throw new ToolError(`${named} is not a directory`);
  return real;
}

function run(command: string, cwd: string, timeout: number, context: ToolContext): Promise<number> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const env = Object.fromEntries(
    Object.entries(context.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const [STDOUT] = [1];
  return new Promise((resolve, reject) => {
    // No input: a pipe of Node's would be a socket, and make bash read ~/.bashrc.
    // Under ai-exec the group is ours alone; elsewhere the command gets one.
    const grouped = context.env.AI_CALL_ID !== undefined;
    const child = spawn(shell(context.env), ['-c', command], {
      cwd,
      env,
      detached: !grouped,
      stdio: ['ignore', STDOUT, STDOUT],
    });
    const kill = (signal: NodeJS.Signals) => killGroup(grouped ? 0 : -(child.pid ?? 0), signal);
    const timer = setTimeout(() => late(kill, timeout, context), timeout);
    context.signal.addEventListener('abort', () => grouped || kill('SIGTERM'), { once: true });
    child.on('error', (error) => reject(new ToolError(`the shell cannot be started: ${error.message}`)));
    child.on('exit', (status, signal) => {
      clearTimeout(timer);
      if (signal !== null) context.print(`(the command was ended by ${signal})\n`);
      resolve(status ?? 128 + (process.getBuiltinModule('node:os').constants.signals[signal ?? 'SIGKILL'] ?? 9));
    });
  });
}

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];

/** bash, which the rules read commands as; elsewhere on the PATH; else the system's sh. */
function shell(env: ToolContext['env']): string {
  const places = [...SHELLS, ...(env.PATH ?? '').split(':').map((directory) => `${directory}/bash`)];
  return places.find(exists) ?? '/bin/sh';
}

function exists(path: string): boolean {
  try {
    return realpathSync(path) !== '';
  } catch {
    return false;
  }
}

/** The time is over: it is told, and everything that the command has started ends. */
function late(kill: (signal: NodeJS.Signals) => void, timeout: number, { print }: ToolContext): void {
  print(`(the command took longer than ${timeout / 1000} s and was ended)\n`);
  kill('SIGTERM');
  setTimeout(() => kill('SIGKILL'), 1000).unref();
}

function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(group, signal);
  } catch {
    // Nothing is left of it.
  }
}
