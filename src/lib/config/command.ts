// `$(command)` in a user's configuration: a program and its words, without a shell.
import type * as ShellQuote from 'shell-quote';
import { EXIT, Failure } from '../failure/failure.ts';
import type { Env } from './places.ts';

export type WordSplitter = typeof ShellQuote;

export const loadWords = async (): Promise<WordSplitter> => {
  const loaded = await import('shell-quote');
  return (loaded as { default?: WordSplitter }).default ?? loaded;
};

/** A command may take so long. */
const LIMIT_MS = 5000;
const LONGEST = 1 << 16;

/**
 * What the command prints, without newlines at the end. Throws a Failure (78) that never holds any of it. Pipes, redirections, variables and the
 * like are refused: the words go to the program as they are.
 */
export function outputOf(command: string, splitter: WordSplitter, env: Env, place: string): string {
  const [program, ...argv] = wordsOf(command, splitter, place);
  if (program === undefined) throw cannot('the command', 'it is empty', place);
  // Loading it takes milliseconds that only those who have commands are to pay.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  try {
    const output = execFileSync(program, argv, {
      encoding: 'utf8',
      env: env as NodeJS.ProcessEnv,
      killSignal: 'SIGKILL',
      maxBuffer: LONGEST,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: LIMIT_MS,
    });
    return output.replace(/[\r\n]+$/, '');
  } catch (error) {
    throw cannot(program, reason(error as NodeJS.ErrnoException & { status?: number | null }), place);
  }
}

function wordsOf(command: string, splitter: WordSplitter, place: string): string[] {
  return splitter
    .parse(command, (name) => `$${name}`)
    .map((word) => {
      if (typeof word === 'string') return word;
      if ('pattern' in word) return word.pattern;
      throw cannot('the command', 'only words are understood, no operators of a shell', place);
    });
}

function reason({ code, status }: { code?: string; status?: number | null }): string {
  if (code === 'ETIMEDOUT') return `it did not end within ${LIMIT_MS / 1000} s`;
  if (code === 'ENOENT') return 'there is no such program';
  if (code === 'EACCES') return 'it may not be run';
  if (code === 'ENOBUFS') return 'it printed too much';
  return typeof status === 'number' ? `it ended with status ${status}` : 'it was ended by a signal';
}

const cannot = (program: string, why: string, place: string): Failure =>
  new Failure(EXIT.config, `cannot run ${program.replace(/[\0-\x1f\x7f]/g, ' ').slice(0, 80)}: ${why}`, { place });
