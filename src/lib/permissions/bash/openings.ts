// The words with which a command does more than its program's name says: it runs another program, writes where it was told to read, or evaluates.
import { basename } from 'node:path';
import { gitOpenings } from './git.ts';
import { type Options, readOptions, unknownOptions } from './options.ts';
import { GENERIC, INTERPRETERS, NEVER, PROGRAMS, RISKY, SAME, SUBCOMMANDS } from './programs.ts';
import { isRunner, managerAt } from './runners.ts';
import { isHarmlessAwk, isHarmlessSed, isPlainPrintf, isPlainTest, scriptsIn } from './scripts.ts';
import type { ShellWord } from './words.ts';

/**
 * The first word that makes a wildcard too wide for a command, after the first `named` words, which the rule itself has; the program's name if
 * the rule has to name the whole. undefined: the wildcard takes it in.
 */
export function opening(words: readonly ShellWord[], named: number): string | undefined {
  const name = programOf(words[0]?.value ?? '');
  for (const at of openings(name, words)) if (at >= named) return words[at]?.text ?? name;
  return undefined;
}

/** The name that the table has for a program. */
function programOf(path: string): string {
  const name = basename(path).replace(/\.exe$/, '');
  const plain = name.replace(/^(python|perl|ruby|php|lua|node|pypy|pip)[\d.]+$/, '$1');
  return SAME.get(plain) ?? plain;
}

const read = new Map<string, Options>();

function optionsOf(name: string): Options | undefined {
  const line = PROGRAMS.get(name);
  if (line === undefined) return undefined;
  const options = read.get(name) ?? readOptions(line);
  read.set(name, options);
  return options;
}

function* openings(name: string, words: readonly ShellWord[]): Generator<number> {
  if (NEVER.has(name)) yield words.length;
  if (name === 'git') return yield* gitOpenings(words);
  if (name === 'test' || name === '[') return yield* isPlainTest(words) ? [] : [words.length];
  if (name === 'printf') return yield* isPlainPrintf(words) ? [] : [words.length];
  const manager = managerAt([name, ...words.slice(1).map(({ value }) => value)]);
  if (manager !== undefined) yield manager;
  yield* SPECIAL.get(name)?.(words) ?? [];
  const options = optionsOf(name);
  if (options === undefined) return yield* isRunner(name) ? [] : genericOpenings(name, words);
  yield* unknownOptions(words, options);
  const allowed = SUBCOMMANDS.get(name);
  if (allowed) yield* subcommandOpenings(words, allowed);
  if (INTERPRETERS.has(name)) yield* interpreterOpenings(words);
}

function* genericOpenings(name: string, words: readonly ShellWord[]): Generator<number> {
  const risky = RISKY.get(name);
  for (const [at, { value }] of words.entries()) {
    if (at === 0 || value === undefined) continue;
    if (value === '--') return;
    if (GENERIC.test(value.split('=', 1)[0] ?? '') || risky?.test(value)) yield at;
  }
}

/** The places of the words that a pattern finds, whatever they are to the program. */
const having =
  (pattern: RegExp) =>
  (words: readonly ShellWord[]): number[] =>
    words.flatMap(({ value }, at) => (at > 0 && (value === undefined || pattern.test(value)) ? [at] : []));

const SPECIAL = new Map<string, (words: readonly ShellWord[]) => Iterable<number>>([
  ['sed', (words) => scriptsIn(words, isHarmlessSed)],
  ['awk', (words) => scriptsIn(words, isHarmlessAwk)],
  // NAME=value sets what a Makefile runs (SHELL, CC); a remote archive is reached by a program.
  ['make', having(/=/)],
  ['tar', having(/^[^/]*:/)],
  ['curl', having(/^(-\w*w|--write-out=)?@|%output\{/)],
  ['less', having(/^\+/)],
  ['cargo', having(/^\+|linker|^-C|^--codegen/)],
  ['go', having(/^(generate|tool)$/)],
  ['yarn', having(/^(exec|dlx|node|config|create|plugin|policies|set|patch.*|unplug)$/)],
  ['docker', having(/^(run|exec|cp|create|save|export|load|import|config|plugin|context|buildx)$/)],
  ['python', having(/^(-\w*m)?(timeit|pdb|code|codeop|asyncio|idlelib|trace|cProfile|profile|runpy|pip\..*)$/)],
  ['node', having(/^(inspect|debug)$/)],
  // A name ends in .x, or the action that it might be would have to.
  [
    'find',
    (words) =>
      words.flatMap(({ value, glob, operand }, at) =>
        !operand && at > 0 && (value === undefined || (glob && !/[./]/.test(value))) ? [at] : [],
      ),
  ],
]);

/** The first operand says what the program does. */
function* subcommandOpenings(words: readonly ShellWord[], allowed: ReadonlySet<string>): Generator<number> {
  const at = words.findIndex(({ value }, i) => i > 0 && !value?.startsWith('-'));
  const word = words[at];
  if (word !== undefined && (word.glob || word.value === undefined || !allowed.has(word.value))) yield at;
}

/** What is run is a file or a module that is named, and not what comes on standard input. */
function* interpreterOpenings(words: readonly ShellWord[]): Generator<number> {
  const script = words.slice(1).find(({ value }) => value === '-' || !value?.startsWith('-'));
  if (words.some(({ value }) => value !== undefined && /^(-m.*|--version|-[vV]|--help|-h|--test)$/.test(value))) return;
  if (script === undefined || script.value === '-' || /^\/(dev|proc)\//.test(script.value ?? '')) yield words.length;
}
