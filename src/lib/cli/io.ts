// The world outside, as a program is given it. `process.ts` gives the real one, tests give another.
import type { Input } from '../jsonl/read.ts';
import type { Terminal } from './terminal.ts';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** The controlling terminal, if there is one and this process may read from it. */
  openTerminal(): Terminal | undefined;
  /** The bytes of a named file. Throws a Failure (74) where it cannot be read. */
  open(path: string): Input;
  /** Returns when all is written. Throws ReaderGone when nobody reads any more. */
  writeStdout(bytes: Uint8Array): void;
  writeStderr(text: string): void;
  now(): number;
  random(): number;
  readonly signal: AbortSignal;
}

/** The reader of standard output went away: the work is done. */
export class ReaderGone extends Error {}
