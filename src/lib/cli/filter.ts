// What a program is: its description as plain data, and the one function that does the work.
import type { Failure } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import type { Input, Records } from '../jsonl/read.ts';
import type { Terminal } from './terminal.ts';

/** One option. `help`, the manual, completion and the parser all read this. */
export interface Option {
  /** `optional`: a string that may be left out (`--cache` or `--cache=1h`); given alone it is `''`. `list`: may be repeated. */
  readonly type: 'boolean' | 'string' | 'number' | 'integer' | 'list' | 'optional';
  readonly summary: string;
  readonly short?: string;
  /** What the value is called in help. Every option but a boolean has one. */
  readonly arg?: string;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  readonly min?: number;
  readonly max?: number;
}

export type Options = { readonly [name: string]: Option };

type Value<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O['type'] extends 'number' | 'integer'
    ? WithDefault<O, number>
    : O['type'] extends 'list'
      ? readonly string[]
      : WithDefault<O, string>;

type WithDefault<O extends Option, T> = O extends { readonly default: string | number } ? T : T | undefined;

/** The values of a table of options, each by its own name. */
export type Values<T extends Options> = { readonly [K in keyof T]: Value<T[K]> };

export interface Example {
  readonly title: string;
  readonly command: string;
  readonly stdin?: string;
  readonly stdout: string;
}

/** All that a program may know of the world. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Operands that are not files, for programs that declare some. */
  readonly operands: readonly string[];
  readonly now: () => number;
  readonly random: () => number;
  /** Aborted when the program is interrupted. Programs that block never see it: the signal ends them. */
  readonly signal: AbortSignal;
  /** The bytes of a file that the input names. Throws a Failure (74) when it is read and cannot be. */
  readonly open: (path: string) => Input;
  readonly stderrIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  /** The person's terminal, whatever the standard streams are; undefined where nobody can be asked. */
  readonly openTerminal: () => Terminal | undefined;
  /** Says something on standard error, after the program's name. */
  readonly note: (text: string) => void;
  /** Writes to standard error as it is: a live preview, a table. */
  readonly show: (text: string) => void;
  /** Writes bytes to standard output that are not records (`--text`). */
  readonly print: (text: string) => void;
  /** Reports a bad record: throws it, or with `--keep-going` says it and returns, so that the record can be passed on. */
  readonly bad: (failure: Failure) => void;
  /** Sets the exit status of a run that otherwise ends well. */
  readonly exit: (status: number) => void;
}

/** Records; a program that blocks may give those that it has at once as a list. */
export type Output = Iterable<Rec | readonly Rec[]> | AsyncIterable<Rec>;

export interface Filter<T extends Options = Options> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly options: T;
  /** The operands before the files, in the words of the usage line (`PATTERN`); `context.operands` has them. */
  readonly operands?: readonly string[];
  /** What may follow those operands in place of files, in the words of the usage line: `context.operands` has all, and standard input is read. */
  readonly more?: string;
  /** Adds records: gets `-n`, which prints only what is new. */
  readonly adds?: boolean;
  /** A last line that was cut off in the middle (its writer was killed) is said and skipped, not an error. */
  readonly toleratesTornTail?: boolean;
  readonly exits?: { readonly [status: number]: string };
  readonly see?: readonly string[];
  readonly examples: readonly Example[];
  /**
   * Yields the records to write. A generator reads its input blocking; an async generator waits for it. What must be loaded before the first
   * record is read may be waited for.
   */
  run(records: Records, options: Values<T>, context: Context): Output | Promise<Output>;
}

/** Declares a program. The options' types follow from their table. */
export function defineFilter<const T extends Options>(filter: Filter<T>): Filter<T> {
  return filter;
}

/** The options that every filter has. */
const COMMON = {
  'keep-going': { type: 'boolean', summary: 'report invalid lines, pass them through, and exit 65 at the end' },
  generate: {
    type: 'string',
    arg: 'WHAT',
    choices: ['man', 'bash', 'zsh', 'fish'],
    summary: 'print the manual page, or the completion script for a shell',
  },
  help: { type: 'boolean', short: 'h', summary: 'print this help' },
  version: { type: 'boolean', short: 'V', summary: 'print the version' },
} as const satisfies Options;

const NEW_ONLY = {
  new: { type: 'boolean', short: 'n', summary: 'write only the new records' },
} as const satisfies Options;

/** The whole table of a filter: its own options, then the common ones. */
export function optionsOf(filter: Filter): Options {
  return { ...filter.options, ...(filter.adds ? NEW_ONLY : {}), ...COMMON };
}
