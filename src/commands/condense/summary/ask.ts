// A summariser is any command that reads a conversation and writes it with an answer: `ai-complete -m small`, a script, a pipe.

import type { Message } from '../../../lib/conversation/types.ts';
import { conversations, messageOf } from '../../../lib/conversion/gather.ts';
import type { Rec } from '../../../lib/json/record.ts';
import type { Json } from '../../../lib/json/values.ts';

/** More than this is no summary. Bytes. */
const MOST = 8 << 20;

export interface Command {
  readonly line: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The last message that a command writes, or why there is none. */
type Answer = { readonly message: Message } | { readonly failed: string };

/** Runs a command by the shell with a conversation on its standard input. */
export function ask({ line, timeout, env }: Command, input: string): Answer {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, signal, stdout, stderr, error } = spawnSync('/bin/sh', ['-c', line], {
    input,
    timeout,
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
    maxBuffer: MOST,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ETIMEDOUT') return { failed: `it took longer than ${timeout / 1000} seconds` };
  if (code === 'ENOBUFS') return { failed: 'its output is too long' };
  // A command that answers without reading all of its input has closed the pipe.
  if (error && code !== 'EPIPE') return { failed: error.message };
  if (status !== 0) return { failed: `it ended with ${signal ?? status}${lastLine(stderr)}` };
  return lastMessage(stdout);
}

function lastLine(text: string): string {
  const line =
    text
      .trim()
      .split('\n')
      .at(-1)
      ?.slice(0, 200)
      .replace(/[\0-\x1f\x7f-\x9f]/g, '?') ?? '';
  return line === '' ? '' : `: ${line}`;
}

function lastMessage(output: string): Answer {
  try {
    const records = output
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): Rec => ({ value: JSON.parse(line) as Json }));
    const last = [...conversations(records)].at(-1);
    const message = last?.items.map(messageOf).findLast((candidate) => candidate !== undefined);
    return message === undefined ? { failed: 'it wrote no message' } : { message };
  } catch {
    return { failed: 'its output is not messages' };
  }
}
