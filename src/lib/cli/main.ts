// One run of one program: arguments to records to exit status.
import { EXIT, Failure } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import { ShapeError } from '../json/values.ts';
import { type Input, readRecords } from '../jsonl/read.ts';
import { Writer } from '../jsonl/write.ts';
import type { Context, Filter, Values } from './filter.ts';
import { optionsOf } from './filter.ts';
import { type Io, ReaderGone } from './io.ts';
import { parseOptions } from './options.ts';
import type { Shell } from './render/completion.ts';
import { renderHelp } from './render/help.ts';
import { VERSION } from './version.ts';

/** Runs a program and returns its exit status. Nothing is thrown; what went wrong is said on standard error. */
export async function main(filter: Filter, argv: readonly string[], io: Io): Promise<number> {
  const run = new Run(filter, io);
  try {
    return await run.start(argv);
  } catch (error) {
    return run.fail(error);
  }
}

class Run {
  readonly #filter: Filter;
  readonly #io: Io;
  readonly #writer: Writer;
  #status: number = EXIT.ok;
  #keepGoing = false;

  constructor(filter: Filter, io: Io) {
    this.#filter = filter;
    this.#io = io;
    this.#writer = new Writer((bytes) => io.writeStdout(bytes));
  }

  async start(argv: readonly string[]): Promise<number> {
    const { values, operands } = parseOptions(argv, optionsOf(this.#filter));
    if (typeof values.generate === 'string') this.#print(await this.#generate(values.generate));
    else if (values.help) this.#print(renderHelp(this.#filter));
    else if (values.version) this.#print(`${this.#filter.name} ${VERSION}\n`);
    else await this.#pump(values, operands);
    this.#writer.flush();
    return this.#status;
  }

  async #generate(what: string): Promise<string> {
    if (what === 'man') return (await import('./render/man.ts')).renderMan(this.#filter, VERSION);
    return (await import('./render/completion.ts')).renderCompletion(this.#filter, what as Shell);
  }

  async #pump(values: { readonly [name: string]: unknown }, operands: readonly string[]): Promise<void> {
    this.#keepGoing = values['keep-going'] === true;
    const needed = this.#filter.operands?.length ?? 0;
    const own = this.#filter.more === undefined ? needed : operands.length;
    if (operands.length < needed)
      throw new Failure(EXIT.usage, `missing operand ${this.#filter.operands?.[operands.length]}`);
    const records = readRecords(this.#inputs(operands.slice(own)), (failure, rec) => this.#badLine(failure, rec));
    const output = await this.#filter.run(
      records,
      values as Values<Filter['options']>,
      this.#context(operands.slice(0, own)),
    );
    const newOnly = values.new === true;
    if (Symbol.iterator in output) {
      for (const item of output)
        if (!isList(item)) this.#put(item, newOnly);
        else for (const rec of item) this.#put(rec, newOnly);
      return;
    }
    for await (const rec of output) {
      this.#put(rec, newOnly);
      this.#writer.flush();
    }
  }

  #put(rec: Rec, newOnly: boolean): void {
    if (!newOnly || rec.source === undefined) this.#writer.write(rec);
  }

  #inputs(files: readonly string[]): Input[] {
    const inputs =
      files.length === 0 ? [this.#typed()] : files.map((f) => (f === '-' ? this.#io.stdin : this.#io.open(f)));
    return inputs.map((input) => this.#flushFirst(input));
  }

  /** Standard input. Whoever is to type there is told so, once it is read. */
  #typed(): Input {
    const { stdin, stdinIsTerminal } = this.#io;
    if (!stdinIsTerminal) return stdin;
    const tell = () =>
      this.#say(`reading messages from the terminal; end with Ctrl-D, or name a FILE (${this.#filter.name} --help)`);
    const chunks = () => {
      tell();
      return stdin.chunks();
    };
    const asyncChunks = () => {
      tell();
      return stdin.asyncChunks();
    };
    return { name: stdin.name, chunks, asyncChunks };
  }

  /** What can be written is written before the program waits for more input. */
  #flushFirst(input: Input): Input {
    const writer = this.#writer;
    return {
      name: input.name,
      asyncChunks: () => input.asyncChunks(),
      *chunks() {
        const chunks = input.chunks()[Symbol.iterator]();
        for (;;) {
          writer.flush();
          const next = chunks.next();
          if (next.done) return;
          yield next.value;
        }
      },
    };
  }

  #context(operands: readonly string[]): Context {
    const io = this.#io;
    return {
      env: io.env,
      get cwd() {
        return io.cwd;
      },
      operands,
      now: () => io.now(),
      random: () => io.random(),
      get signal() {
        return io.signal;
      },
      get stderrIsTerminal() {
        return io.stderrIsTerminal;
      },
      get stdoutIsTerminal() {
        return io.stdoutIsTerminal;
      },
      openTerminal: () => io.openTerminal(),
      open: (path) => io.open(path),
      note: (text) => this.#say(text),
      show: (text) => io.writeStderr(text),
      print: (text) => this.#print(text),
      bad: (failure) => this.#bad(failure),
      exit: (status) => {
        this.#status = status;
      },
    };
  }

  #bad(failure: Failure): void {
    if (!this.#keepGoing) throw failure;
    this.#say(line(failure));
    this.#status = failure.status;
  }

  /** A last line without an end is what a writer leaves that was stopped. */
  #badLine(failure: Failure, { source }: Rec): void {
    const torn = typeof source === 'string' && !source.endsWith('\n');
    if (torn && this.#filter.toleratesTornTail) this.#tornTail(failure);
    else this.#bad(failure);
  }

  #tornTail({ place }: Failure): void {
    this.#say(
      `${place}: skipped the last line: it is truncated, because its writer was stopped (remove it before you continue)`,
    );
  }

  #print(text: string): void {
    this.#writer.flush();
    this.#io.writeStdout(Buffer.from(text));
  }

  #say(text: string): void {
    this.#io.writeStderr(`${this.#filter.name}: ${text}\n`);
  }

  /** Writes what stands, then says what went wrong. */
  fail(error: unknown): number {
    if (error instanceof ReaderGone) return this.#status;
    try {
      this.#writer.flush();
    } catch {
      // The first failure is the one to report.
    }
    const failure = asFailure(error);
    const hint = failure.status === EXIT.usage && !failure.hint ? `try '${this.#filter.name} --help'` : failure.hint;
    this.#say(line(failure, hint));
    return failure.status;
  }
}

const isList = (item: Rec | readonly Rec[]): item is readonly Rec[] => Array.isArray(item);

function line(failure: Failure, hint = failure.hint): string {
  return `${failure.place ? `${failure.place}: ` : ''}${failure.message}${hint ? ` (${hint})` : ''}`;
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ShapeError) return new Failure(EXIT.badInput, error.message);
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new Failure(EXIT.badInput, 'cannot read a record: nested too deeply');
  const text = error instanceof Error ? error.message : String(error);
  return new Failure(EXIT.bug, `internal error: ${text}`, { hint: 'please report it with the input that causes it' });
}
