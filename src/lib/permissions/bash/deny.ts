// Whether a rule forbids (or asks for) a script: one command that it may run is enough, however it is wrapped or spelled.
import { basename } from 'node:path';
import type { ReadScript, Script, SimpleCommand } from './commands.ts';
import { matchesLoosely } from './loosely.ts';
import { CommandPattern } from './pattern.ts';
import { beginnings, innerOf, isRunner, managerAt, mayRunAnything, readsScript, scriptsOf } from './runners.ts';
import type { ShellWord } from './words.ts';

/** How deep scripts in scripts are followed, how many of them, and how far the words of one command. */
const DEPTH = 8;
const SCRIPTS = 64;
const WORDS = 64;

export interface Found {
  /** The place of the first rule that matches. */
  readonly rule?: number;
  /** Why there may be a command that the rules speak of and that nobody can see. */
  readonly hidden?: string;
}

/** Looks for commands that some rule speaks of. */
export class Denied {
  readonly #patterns: readonly CommandPattern[];
  readonly #read: ReadScript;
  #budget = SCRIPTS;
  #rule: number | undefined;
  #hidden: string | undefined;

  constructor(specifiers: readonly string[], read: ReadScript) {
    this.#patterns = specifiers.map((specifier) => new CommandPattern(specifier));
    this.#read = read;
  }

  find(script: Script): Found {
    this.#budget = SCRIPTS;
    this.#rule = undefined;
    this.#hidden = undefined;
    this.#script(script, 0);
    return { rule: this.#rule, hidden: this.#hidden };
  }

  #script(script: Script, depth: number): void {
    if (script.unread) this.#hide(script.doubts[0] ?? 'it cannot be parsed');
    for (const command of script.commands) {
      if (this.#rule !== undefined) return;
      this.#command(command, depth);
    }
    // bash evaluates texts where it wants a number or a name: what they would run then is looked for as well.
    for (const text of script.texts) this.#nested(`: "${text.replaceAll('"', '\\"')}"`, depth);
  }

  #hide(why: string): void {
    this.#hidden ??= why;
  }

  #command({ words, text }: Pick<SimpleCommand, 'words' | 'text'>, depth: number): void {
    const [name] = words;
    if (name === undefined) return;
    if (name.value === undefined || name.glob) this.#hide('what it runs is known only at run time');
    this.#test(words, text);
    const called = basename(name.value ?? '');
    const argv = [called, ...words.slice(1).map(({ value }) => value)];
    if (readsScript(argv)) this.#hide('a shell in it reads its commands from a pipe');
    if (hidesItsCommand(argv)) this.#hide('what it runs is known only at run time');
    if (isRunner(called)) this.#inside(words, beginnings(argv), depth);
    for (const source of scriptsIn(called, words)) this.#nested(source, depth);
  }

  /** The commands that may begin in the arguments of another. */
  #inside(words: readonly ShellWord[], places: readonly number[], depth: number): void {
    const [only] = places;
    if (places.length > WORDS || depth >= DEPTH) this.#hide('it has too many arguments to be checked');
    else if (places.length === 1 && only !== undefined)
      this.#command({ words: words.slice(only), text: '' }, depth + 1);
    else for (const at of places) this.#test(words.slice(at), '');
  }

  #nested(source: string, depth: number): void {
    this.#budget -= 1;
    if (depth >= DEPTH || this.#budget < 0) this.#hide('scripts are nested too deeply in it');
    else this.#script(this.#read(source), depth + 1);
  }

  /** One command, beginning at the first of these words, against every rule. */
  #test(words: readonly ShellWord[], text: string): void {
    const [first] = words;
    const name = basename(first?.value ?? '');
    this.#patterns.forEach((pattern, i) => {
      if (this.#rule !== undefined && this.#rule <= i) return;
      if (pattern.name !== undefined && basename(pattern.name) !== name) return;
      const argv = words.map(({ value, text: written }) => value ?? written);
      const spelled = argv.join(' ');
      const named = [basename(pattern.name ?? name), ...argv.slice(1)].join(' ');
      if (pattern.matches(spelled) || pattern.matches(named) || (text !== '' && pattern.matches(text))) this.#rule = i;
      else if (pattern.prefix) {
        const loosely = matchesLoosely(pattern.prefix, words);
        if (loosely === 'yes') this.#rule = i;
        else if (loosely === 'unknown') this.#hide('some of its arguments are known only at run time');
      }
    });
  }
}

/** A runner with an argument that only the shell knows, where the command may be. */
function hidesItsCommand(argv: readonly (string | undefined)[]): boolean {
  if (!mayRunAnything(argv[0] ?? '')) return false;
  const inner = innerOf(argv);
  return (typeof inner === 'object' && inner.certain ? argv.slice(0, inner.at + 1) : argv).includes(undefined);
}

/** What of the arguments of a runner may be a script. */
function scriptsIn(name: string, words: readonly ShellWord[]): string[] {
  const values = words.slice(1).flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (name !== 'git' && !mayRunAnything(name) && managerAt([name, ...values]) === undefined) return [];
  if (name === 'eval') return [values.join(' ')];
  if (name === 'git') return values.filter((value) => /=\s*!/.test(value)).map((value) => value.replace(/^[^!]*!/, ''));
  return scriptsOf([name, ...values]);
}
