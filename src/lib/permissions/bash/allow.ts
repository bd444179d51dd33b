// Whether rules allow a script: every command that it may run must match one, and nothing in it may be of another kind.
import type { ReadScript, Script, SimpleCommand } from './commands.ts';
import { opening } from './openings.ts';
import { CommandPattern } from './pattern.ts';
import { innerOf } from './runners.ts';

/** Scripts within scripts deeper than this are not looked into. */
const DEPTH = 8;

/** Variables that change how a program writes and not what it does. */
const HARMLESS = new Set(
  'LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CI NODE_ENV RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED DEBUG'.split(
    ' ',
  ),
);

export class Allowed {
  readonly #patterns: readonly CommandPattern[];
  readonly #read: ReadScript;

  constructor(specifiers: readonly string[], read: ReadScript) {
    this.#patterns = specifiers.map((specifier) => new CommandPattern(specifier));
    this.#read = read;
  }

  /** undefined if the whole script is allowed; else what of it is not, as a clause. */
  objection(script: Script, depth = 0): string | undefined {
    if (script.doubts.length > 0) return script.doubts[0];
    if (script.commands.length === 0) return 'there is no command in it';
    for (const command of script.commands)
      if (!this.#allows(command, depth)) return `no rule allows "${command.text.slice(0, 200)}"`;
    return undefined;
  }

  #allows(command: SimpleCommand, depth: number): boolean {
    const [name] = command.words;
    if (name?.value === undefined || name.glob) return false;
    const harmless = command.assignments.every(({ name: set, value }) => HARMLESS.has(set) && value !== undefined);
    if (!harmless) return this.#patterns.some((pattern) => pattern.isExact && pattern.matches(command.text));
    return this.#allowsWords(command, 0, depth);
  }

  /** The command that begins at a word: itself, or what it runs if it does nothing else. `appended`: it gets more arguments when it runs. */
  #allowsWords(command: SimpleCommand, from: number, depth: number, appended = false): boolean {
    const words = command.words.slice(from);
    const argv = words.map(({ value }) => value);
    const text = canonical(words);
    const whole = from === 0 && command.assignments.length === 0;
    for (const pattern of this.#patterns) {
      if (!pattern.matches(text) && !(whole && pattern.matches(command.text))) continue;
      if (pattern.isExact ? !appended : this.#isNarrow(pattern, command, from, depth)) return true;
    }
    const inner = depth < DEPTH ? innerOf(argv) : 'nothing';
    return (
      typeof inner === 'object' &&
      inner.harmless &&
      inner.certain &&
      this.#allowsWords(command, from + inner.at, depth + 1, appended)
    );
  }

  /** Whether a pattern with a wildcard means this command, and not whatever the command runs. */
  #isNarrow(pattern: CommandPattern, command: SimpleCommand, from: number, depth: number): boolean {
    const words = command.words.slice(from);
    const argv = words.map(({ value }) => value);
    const opened = opening(argv);
    if (opened !== undefined && !pattern.has(opened)) return false;
    const inner = innerOf(argv);
    if (inner === 'nothing') return true;
    if (inner === 'unknown' || !inner.certain || depth >= DEPTH) return false;
    if (pattern.reaches(canonical(words.slice(0, inner.at + 1)))) return true;
    if (!inner.script) return this.#allowsWords(command, from + inner.at, depth + 1, inner.appends);
    const source = argv[inner.at];
    return source !== undefined && this.objection(this.#read(source), depth + 1) === undefined;
  }
}

/** The words with one space between them, each quoted if it is not plain: the same arguments always read the same. */
export function canonical(words: readonly { readonly value: string | undefined; readonly text: string }[]): string {
  return words.map(({ value, text }) => (value === undefined ? text : plain(value))).join(' ');
}

const plain = (word: string): string =>
  /^[\w@%+=:,./~*?[\]{}!^-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
