// Whether rules allow a script: every command that it may run must match one, and nothing in it may be of another kind.
import { basename } from 'node:path';
import type { ReadScript, Script, SimpleCommand } from './commands.ts';
import { opening } from './openings.ts';
import { CommandPattern } from './pattern.ts';
import { innerOf, readsScript } from './runners.ts';
import { plainWord, type ShellWord } from './words.ts';

/** Scripts within scripts deeper than this are not looked into. */
const DEPTH = 8;

/** Variables that change how a program writes and not what it does. */
const HARMLESS = new Set(
  'LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CI NODE_ENV RUST_BACKTRACE RUST_LOG PYTHONUNBUFFERED DEBUG'.split(
    ' ',
  ),
);

interface Known {
  readonly text?: string | undefined;
  /** It gets more words when it runs. */
  readonly appended?: ShellWord | undefined;
}

export class Allowed {
  readonly #patterns: readonly CommandPattern[];
  readonly #read: ReadScript;
  /** The word for which a wildcard did not count. */
  #opened: string | undefined;

  constructor(specifiers: readonly string[], read: ReadScript) {
    this.#patterns = specifiers.map((specifier) => new CommandPattern(specifier));
    this.#read = read;
  }

  /** undefined if the whole script is allowed; else what of it is not, as a clause. */
  objection(script: Script, depth = 0): string | undefined {
    if (script.doubts.length > 0) return script.doubts[0];
    if (script.commands.length === 0) return 'there is no command in it';
    for (const command of script.commands) {
      this.#opened = undefined;
      if (this.#allows(command, depth)) continue;
      return this.#refusal(command);
    }
    return undefined;
  }

  #refusal({ text }: SimpleCommand): string {
    const refused = `no rule allows "${text.slice(0, 200)}"`;
    if (this.#opened === undefined) return refused;
    const word = this.#opened.slice(0, 80);
    return `${refused}: a wildcard does not match "${word}", which can run a program, write a file or evaluate code; a rule must spell it out`;
  }

  #allows(command: SimpleCommand, depth: number): boolean {
    const [name] = command.words;
    if (name?.value === undefined || name.glob) return false;
    const harmless = command.assignments.every(({ name: set, value }) => HARMLESS.has(set) && value !== undefined);
    if (!harmless) return this.#patterns.some((pattern) => pattern.isExact && pattern.matches(command.text));
    return this.#allowsWords(command.words, depth, {
      text: command.assignments.length === 0 ? command.text : undefined,
    });
  }

  /** A command by its words: itself, or what it runs if it does nothing else. `text`: the whole as it was written. */
  #allowsWords(words: readonly ShellWord[], depth: number, { text, appended }: Known = {}): boolean {
    for (const pattern of this.#patterns) {
      const known = pattern.matches(canonical(words));
      if (!known && !(text !== undefined && pattern.matches(text))) continue;
      if (pattern.isExact ? appended === undefined : this.#takesIn(pattern, words, known, depth, appended)) return true;
    }
    const inner = depth < DEPTH ? innerOf(words.map(({ value }) => value)) : 'nothing';
    return (
      typeof inner === 'object' &&
      inner.harmless &&
      inner.certain &&
      this.#allowsWords(words.slice(inner.at), depth + 1, { appended })
    );
  }

  /** Whether a pattern with a wildcard means this command: what its own words name, and not whatever the command is told to run or to write. */
  #takesIn(
    pattern: CommandPattern,
    words: readonly ShellWord[],
    known: boolean,
    depth: number,
    appended?: ShellWord,
  ): boolean {
    if (appended && !pattern.isOpen) return false;
    const named = pattern.named(words.map((word) => (known ? canonical([word]) : word.text)));
    return this.#isNarrow(appended ? [...words, appended] : words, named, depth);
  }

  #isNarrow(words: readonly ShellWord[], named: number, depth: number): boolean {
    const opened = opening(words, named);
    if (opened !== undefined) {
      this.#opened ??= opened;
      return false;
    }
    const argv = [basename(words[0]?.value ?? ''), ...words.slice(1).map(({ value }) => value)];
    if (readsScript(argv)) return false;
    const inner = innerOf(argv);
    if (inner === 'nothing') return true;
    if (inner === 'unknown' || !inner.certain || depth >= DEPTH) return false;
    const own = replaced(words, inner.at);
    if (own[0]?.value === undefined && named <= inner.at) return false;
    if (inner.script) return named > inner.at || this.#isScriptAllowed(argv[inner.at], depth);
    if (inner.joins) return this.#isJoinedAllowed(argv.slice(inner.at), named > inner.at, depth);
    if (named > inner.at) return this.#isNarrow(own, named - inner.at, depth + 1);
    return this.#allowsWords(own, depth + 1, inner.appends ? { appended: appendedBy(argv) } : {});
  }

  #isScriptAllowed(source: string | undefined, depth: number): boolean {
    return source !== undefined && !/\{\}/.test(source) && this.objection(this.#read(source), depth + 1) === undefined;
  }

  /** A shell gets the words again, with one blank between them. Those that the rule names may be one command of any kind. */
  #isJoinedAllowed(argv: readonly (string | undefined)[], named: boolean, depth: number): boolean {
    if (argv.includes(undefined)) return false;
    const script = this.#read(argv.join(' '));
    if (!named) return this.objection(script, depth + 1) === undefined;
    return script.doubts.length === 0 && script.commands.length === 1;
  }
}

/** The words that a runner runs; in place of some of them, xargs -I puts what it reads. */
function replaced(words: readonly ShellWord[], from: number): readonly ShellWord[] {
  const own = words.slice(from);
  const at = words.findIndex(({ value }, i) => i > 0 && i < from && value?.startsWith('-I'));
  if (basename(words[0]?.value ?? '') !== 'xargs' || at < 0) return own;
  const place = words[at]?.value?.slice(2) || (words[at + 1]?.value ?? '');
  return own.map((word) => (word.value?.includes(place) ? plainWord(undefined, word.text) : word));
}

/** What xargs adds may be options; what find adds begins as the place where it began does. */
const appendedBy = ([name]: readonly (string | undefined)[]): ShellWord =>
  name === 'find' ? plainWord('./x') : plainWord(undefined, '(what it reads)');

/** The words with one space between them, each quoted if it is not plain: the same arguments always read the same. */
function canonical(words: readonly { readonly value: string | undefined; readonly text: string }[]): string {
  return words.map(({ value, text }) => (value === undefined ? text : plain(value))).join(' ');
}

const plain = (word: string): string =>
  /^[\w@%+=:,./~*?[\]{}!^-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
