// The options of a program, as getopt reads them, against those that are known to run nothing and to write no file.
import type { ShellWord } from './words.ts';

/** What a program may be given. All else, abbreviations of long names included, is not known. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  /** A value may be attached; the next word is none. */
  readonly attached: ReadonlySet<string>;
  /** Take a file to write: only `-` and /dev/null. */
  readonly outputs: ReadonlySet<string>;
  /** Take a value, after which all words are another program's. */
  readonly last: ReadonlySet<string>;
  /** How many operands there may be. */
  readonly most: number;
  /** After so many operands the words are another program's. */
  readonly stop: number;
  /** Long names have one dash, and no cluster of letters is read. */
  readonly words: boolean;
  /** The first word may be letters without a dash (tar). */
  readonly bundle: boolean;
}

/**
 * Reads a line of the table. `-abc` are flags, `-abc:` and `--name:` take a value, `-abc?` may have one attached, `-o!` is a file to write, `-m;` a
 * value behind which another program's words begin; `<=N` is the most operands, `>>N` says after how many operands another program's words begin, `words` that long names
 * have one dash, `bundle` that the first word may do without.
 */
export function readOptions(line: string): Options {
  const sets = {
    '': new Set<string>(),
    ':': new Set<string>(),
    '?': new Set<string>(),
    '!': new Set<string>(),
    ';': new Set<string>(),
  };
  const tokens = line.split(/\s+/);
  const number = (sign: string) => Number(tokens.find((token) => token.startsWith(sign))?.slice(2) ?? Infinity);
  for (const token of tokens.filter((each) => each.startsWith('-'))) {
    const sign = (/[:?!;]$/.exec(token)?.[0] ?? '') as keyof typeof sets;
    const name = sign === '' ? token : token.slice(0, -1);
    for (const each of name.startsWith('--') ? [name.slice(2)] : name.slice(1)) sets[sign].add(each);
  }
  return {
    flags: sets[''],
    valued: sets[':'],
    attached: sets['?'],
    outputs: sets['!'],
    last: sets[';'],
    most: number('<='),
    stop: number('>>'),
    words: tokens.includes('words'),
    bundle: tokens.includes('bundle'),
  };
}

type Take = 'ok' | 'value' | 'output' | 'last' | 'unknown';

/** The places of the words that the table does not know, the program's name being the first word. */
export function* unknownOptions(words: readonly ShellWord[], options: Options): Generator<number> {
  let operands = 0;
  let over = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) return;
    if (over || isOperand(word)) {
      operands += 1;
      if (operands > options.most || (options.bundle && at === 1 && !isBundle(word, options))) yield at;
      if (operands >= options.stop) return;
      // The letters of a bundle take their values from the words after it, which are operands here.
      continue;
    }
    if (word.value === '--') over = true;
    else if (word.value === undefined || word.glob) yield at;
    else {
      const take = options.words ? takeWord(word.value, options) : takeOf(word.value, options);
      if (take === 'unknown') yield at;
      if (take === 'last') return;
      if (take === 'value' || take === 'output') at += 1;
      const value = words[at];
      if (take === 'value' && value !== undefined && !value.single) yield at;
      if (take === 'output' && !isNowhere(value?.value)) yield at;
    }
  }
}

const isOperand = ({ value, operand }: ShellWord): boolean => operand || value === '-' || value === '';

const isNowhere = (value: string | undefined): boolean => value === '-' || value === '/dev/null';

function takeOf(word: string, options: Options): Take {
  return word.startsWith('--') ? takeLong(word.slice(2), options) : takeCluster(word.slice(1), options);
}

const takeWord = (word: string, options: Options): Take => takeLong(word.replace(/^--?/, ''), options);

function takeLong(word: string, { flags, valued, attached, outputs }: Options): Take {
  const [name = ''] = word.split('=', 1);
  const given = name.length < word.length ? word.slice(name.length + 1) : undefined;
  if (flags.has(name) || attached.has(name)) return 'ok';
  if (valued.has(name)) return given === undefined ? 'value' : 'ok';
  if (!outputs.has(name)) return 'unknown';
  if (given === undefined) return 'output';
  return isNowhere(given) ? 'ok' : 'unknown';
}

function takeCluster(letters: string, { flags, valued, attached, outputs, last }: Options): Take {
  for (const [i, letter] of Array.from(letters).entries()) {
    const rest = letters.slice(i + 1);
    if (last.has(letter)) return 'last';
    if (attached.has(letter)) return 'ok';
    if (valued.has(letter)) return rest === '' ? 'value' : 'ok';
    if (outputs.has(letter)) return rest === '' ? 'output' : isNowhere(rest) ? 'ok' : 'unknown';
    if (!flags.has(letter)) return 'unknown';
  }
  return 'ok';
}

/** `tar xzf`: letters alone, each of them known. */
function isBundle({ value, glob }: ShellWord, options: Options): boolean {
  if (value === undefined || glob) return false;
  return Array.from(value).every((letter) => options.flags.has(letter) || options.valued.has(letter));
}
