// The real world: the only file that reads the environment, prints, or ends the process.
import { fstatSync, openSync, read, readSync, statSync, writeSync } from 'node:fs';
import { EXIT, Failure } from '../failure/failure.ts';
import type { Input } from '../jsonl/read.ts';
import type { Filter } from './filter.ts';
import { type Io, ReaderGone } from './io.ts';
import { main } from './main.ts';
import { endsInsideLine } from './tail.ts';
import { openTerminal } from './terminal.ts';
import { runTool, type Tool } from './tool.ts';

const CHUNK = 1 << 15;
const [STDIN, STDOUT, STDERR] = [0, 1, 2];

type Table<T> = { readonly [name: string]: () => Promise<{ readonly default: T }> };

/** Runs the program or the tool that the first argument names on the arguments after it, and ends the process with its status. */
export async function start(commands: Table<Filter>, tools: Table<Tool>): Promise<void> {
  const [, , name = '', ...argv] = process.argv;
  const tool = tools[name];
  if (tool) process.exit(await runTool((await tool()).default, io()));
  const load = commands[name];
  if (load === undefined) {
    complain(`${name}: no such program\n`);
    process.exit(EXIT.usage);
  }
  const { default: filter } = await load();
  process.exit(await main(filter, argv, io()));
}

function io(): Io {
  return {
    env: process.env,
    get cwd() {
      return process.cwd();
    },
    stdin: { name: '-', chunks: () => blocking(STDIN), asyncChunks: () => waiting(() => STDIN) },
    get stdinIsTerminal() {
      return isTerminal(STDIN);
    },
    get stdoutIsTerminal() {
      return isTerminal(STDOUT);
    },
    get stderrIsTerminal() {
      return isTerminal(STDERR);
    },
    openTerminal,
    open,
    writeStdout,
    writeStderr: (text) => complain(text),
    now: () => Date.now(),
    random: () => Math.random(),
    get signal() {
      return interrupted();
    },
  };
}

/** Loading node:tty takes milliseconds, and what is no character device is no terminal. Nor is the one that most runs without input have. */
function isTerminal(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    if (!stat.isCharacterDevice() || stat.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false;
    return process.getBuiltinModule('node:tty').isatty(fd);
  } catch {
    return false;
  }
}

function open(path: string): Input {
  const fd = () => {
    try {
      return openSync(path, 'r');
    } catch (error) {
      throw new Failure(EXIT.io, `cannot open the file: ${reason(error)}`, { place: path });
    }
  };
  return {
    name: path,
    chunks: () => blocking(fd()),
    asyncChunks: () => waiting(fd),
  };
}

/** Blocking reads: a filter has nothing else to do, and starts faster without streams. */
function* blocking(fd: number): Generator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const length = retrying(() => readSync(fd, chunk, 0, CHUNK, null));
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

let begun = false;

/** What is appended to a file whose last line has no end begins on a line of its own. */
function writeStdout(bytes: Uint8Array): void {
  if (!begun && endsInsideLine(STDOUT)) write(STDOUT, Buffer.from('\n'));
  begun = true;
  write(STDOUT, bytes);
}

/** Reads that do not block, without the streams that would cost as much as the rest of the start. A file never makes its reader wait. */
async function* waiting(open: () => number): AsyncGenerator<Uint8Array> {
  const fd = open();
  if (fstatSync(fd, { throwIfNoEntry: false })?.isFile()) return yield* blocking(fd);
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const length = await readSome(fd, chunk);
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

async function readSome(fd: number, chunk: Buffer): Promise<number> {
  for (;;) {
    const result = await new Promise<number | NodeJS.ErrnoException>((done) =>
      read(fd, chunk, 0, CHUNK, null, (error, length) => done(error ?? length)),
    );
    if (typeof result === 'number') return result;
    if (result.code === 'EOF') return 0;
    if (result.code !== 'EAGAIN') throw new Failure(EXIT.io, `cannot read or write: ${reason(result)}`);
    await new Promise((next) => setTimeout(next, 5));
  }
}

function write(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += retrying(() => writeSync(fd, bytes, done));
}

/** A pipe that another process has set non-blocking answers "try again": wait a little and do so. */
function retrying(operation: () => number): number {
  for (;;) {
    try {
      return operation();
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EPIPE') throw new ReaderGone();
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw new Failure(EXIT.io, `cannot read or write: ${reason(error)}`);
      Atomics.wait(PAUSE, 0, 0, 2);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** Standard error may be closed or gone: that is no reason to fail. */
function complain(text: string): void {
  try {
    write(STDERR, Buffer.from(text));
  } catch {
    // Nobody listens.
  }
}

function reason(error: unknown): string {
  const REASONS: { readonly [code: string]: string } = {
    ENOENT: 'no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a directory',
    ENOSPC: 'no space left on the device',
    EBADF: 'it is not open',
    EIO: 'input/output error',
  };
  const code = codeOf(error);
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

let controller: AbortController | undefined;

/** Made on first use: a program that never asks is ended by the signal itself, as a filter should be. */
function interrupted(): AbortSignal {
  if (controller) return controller.signal;
  const made = new AbortController();
  controller = made;
  process.once('SIGINT', () => made.abort(new Failure(EXIT.interrupted, 'interrupted')));
  process.once('SIGTERM', () => made.abort(new Failure(EXIT.interrupted, 'terminated')));
  process.once('SIGHUP', () => made.abort(new Failure(EXIT.interrupted, 'the terminal was closed')));
  return made.signal;
}
