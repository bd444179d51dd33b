// A forbidden command in other words: flags in another order, in one or in several words, by their long or short name, and options before the
// subcommand (`git -C dir push`).
import { basename } from 'node:path';
import { plainWord, type ShellWord } from './words.ts';

interface Prefix {
  readonly words: readonly string[];
  readonly open: boolean;
}

/** Where the first operand may stand: options before it may take a value or not. */
const BEFORE = 16;

/** Whether a command does what the words of a rule say. `unknown`: an argument that only the shell knows could make it so. */
export function matchesLoosely({ words: rule, open }: Prefix, command: readonly ShellWord[]): 'yes' | 'no' | 'unknown' {
  if (basename(command[0]?.value ?? '') !== basename(rule[0] ?? '')) return 'no';
  const wanted = split(rule.slice(1).map((word) => plainWord(word)));
  let unknown = false;
  for (const start of starts(command)) {
    const verdict = compare(wanted, split(command.slice(start)), split(command.slice(1, start)).flags, open);
    if (verdict === 'yes') return 'yes';
    unknown ||= verdict === 'unknown';
  }
  return unknown ? 'unknown' : 'no';
}

/** The places from which the operands may begin: 1, or after options that stand before them. */
function starts(command: readonly ShellWord[]): number[] {
  const found = new Set([1]);
  const open = [1];
  for (let at = open.pop(); at !== undefined && found.size < BEFORE; at = open.pop()) {
    if (!command[at]?.value?.startsWith('-')) continue;
    const next = command[at + 1]?.value?.startsWith('-') ? [at + 1] : [at + 1, at + 2];
    for (const place of next) if (place <= command.length && !found.has(place)) open.push(place);
    for (const place of next) if (place <= command.length) found.add(place);
  }
  return [...found];
}

interface Split {
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly (string | undefined)[];
}

function split(words: readonly ShellWord[]): Split {
  const flags = new Set<string>();
  const operands: (string | undefined)[] = [];
  let over = false;
  for (const { value } of words) {
    if (over || value === undefined || value === '-' || !value.startsWith('-')) operands.push(value);
    else if (value === '--') over = true;
    else for (const flag of flagsOf(value)) flags.add(flag);
  }
  return { flags, operands };
}

/** `-rf` is r and f; `--force=x` is force. */
function flagsOf(word: string): string[] {
  const flags = word.startsWith('--') ? [word.slice(2).split('=')[0] ?? ''] : [...word.slice(1)];
  return flags.map((flag) => SAME.get(flag) ?? flag);
}

/** Flags that mean the same to every program that has them and that rules are written about. */
const SAME = new Map([
  ['recursive', 'r'],
  ['R', 'r'],
  ['force', 'f'],
]);

function compare(wanted: Split, given: Split, before: ReadonlySet<string>, open: boolean): 'yes' | 'no' | 'unknown' {
  for (const [i, word] of wanted.operands.entries()) {
    if (i >= given.operands.length) return 'no';
    const found = given.operands[i];
    if (found === undefined) return 'unknown';
    if (found !== word) return 'no';
  }
  const missing = [...wanted.flags].filter((flag) => !has(given.flags, flag) && !has(before, flag));
  const dynamic = given.operands.includes(undefined);
  if (missing.length > 0) return dynamic ? 'unknown' : 'no';
  if (open || given.operands.length === wanted.operands.length) return 'yes';
  return 'no';
}

/** Whether a flag is given, if only by the beginning of its long name. */
function has(given: ReadonlySet<string>, flag: string): boolean {
  if (given.has(flag)) return true;
  const long = flag === 'r' ? 'recursive' : flag === 'f' ? 'force' : flag;
  return [...given].some((each) => each.length > 2 && long.startsWith(each));
}
