// What a word of a shell command is known to be before the shell expands it.
import type { Word, WordPart } from 'unbash';

export interface ShellWord {
  /** As it was written. */
  readonly text: string;
  /** What the program will get; undefined where only the shell can know. A glob is its pattern. */
  readonly value: string | undefined;
  /** The shell may put the names of files in its place. */
  readonly glob: boolean;
}

export function readWord({ text, value, parts }: Word): ShellWord {
  if (parts === undefined) return { text, value: known(value), glob: false };
  const values = parts.map(valueOfPart);
  const all = values.every((each) => each !== undefined) ? known(values.join('')) : undefined;
  return { text, value: all, glob: all !== undefined && parts.some(isGlob) };
}

/** bash ends a word at a NUL, and nothing can be told of what follows. */
const known = (value: string): string | undefined => (value.includes('\0') ? undefined : value);

const isGlob = ({ type }: WordPart): boolean => type === 'Glob' || type === 'ExtendedGlob';

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
