// What a word of a shell command is known to be before the shell expands it.
import type { Word, WordPart } from 'unbash';

export interface ShellWord {
  /** As it was written. */
  readonly text: string;
  /** What the program will get; undefined where only the shell can know. A glob is its pattern. */
  readonly value: string | undefined;
  /** The shell may put the names of files in its place. */
  readonly glob: boolean;
  /** Whatever the shell puts in its place, no word of it begins with a dash. */
  readonly operand: boolean;
  /** The shell makes one word of it, neither none nor several. */
  readonly single: boolean;
}

export function readWord({ text, value, parts }: Word): ShellWord {
  if (parts === undefined) return plainWord(known(value), text);
  const values = parts.map(valueOfPart);
  const all = values.every((each) => each !== undefined) ? known(values.join('')) : undefined;
  const glob = parts.some(isGlob);
  if (all !== undefined && !glob) return plainWord(all, text);
  const single = parts.every(isSingle) && (parts.some(isQuoted) || all !== undefined) && !glob;
  return { text, value: all, glob: all !== undefined && glob, operand: isOperand(parts), single };
}

/** A word that the shell leaves as it is. */
export const plainWord = (value: string | undefined, text = value ?? ''): ShellWord => ({
  text,
  value,
  glob: false,
  operand: value !== undefined && !value.startsWith('-'),
  single: value !== undefined,
});

/** bash ends a word at a NUL, and nothing can be told of what follows. */
const known = (value: string): string | undefined => (value.includes('\0') ? undefined : value);

const isGlob = ({ type }: WordPart): boolean => type === 'Glob' || type === 'ExtendedGlob';

const isQuoted = ({ type }: WordPart): boolean =>
  type === 'DoubleQuoted' || type === 'SingleQuoted' || type === 'AnsiCQuoted';

/** `$@` in double quotes is as many words as there are. */
function isSingle(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return !part.parts.some(({ text }) => /^\$\{?@/.test(text));
  return part.type === 'Literal' || isQuoted(part);
}

/** Only what begins with a known character, and is not split at blanks that nobody knows of, can be told from an option. */
function isOperand(parts: readonly WordPart[]): boolean {
  if (!parts.every((part) => isSingle(part) || isGlob(part) || part.type === 'BraceExpansion' || isHome(part)))
    return false;
  const [first] = parts;
  if (first === undefined) return false;
  if (isHome(first)) return true;
  if (first.type === 'DoubleQuoted') return isHomeOrHere(first.parts[0]) || startsPlainly(valueOfPart(first), first);
  return startsPlainly(valueOfPart(first), first);
}

function startsPlainly(value: string | undefined, part: WordPart): boolean {
  if (isGlob(part)) return false;
  const [begin] = part.type === 'DoubleQuoted' ? part.parts : [];
  const text = value ?? (begin?.type === 'Literal' ? begin.value : '');
  return text !== '' && !text.startsWith('-');
}

const isHome = ({ text }: { readonly text: string }): boolean => /^\$(HOME|\{HOME\})$/.test(text);

const isHomeOrHere = (part: { readonly text: string } | undefined): boolean =>
  part !== undefined && /^\$(HOME|PWD|\{HOME\}|\{PWD\})$/.test(part.text);

function valueOfPart(part: WordPart): string | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'Glob':
      return part.value;
    case 'ExtendedGlob':
      return part.text;
    case 'DoubleQuoted':
    case 'LocaleString': {
      const values = part.parts.map(valueOfPart);
      return values.every((each) => each !== undefined) ? values.join('') : undefined;
    }
    default:
      return undefined;
  }
}
