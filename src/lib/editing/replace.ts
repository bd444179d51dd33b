// Exact replacement: the old text must be there, letter by letter, and only once unless all of it is meant.
import { count, EditError } from './edited.ts';

interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly all: boolean;
}

/**
 * Makes one replacement. An empty old text makes a file that is not there or is empty. In a file with CRLF a text without may mean lines of it.
 * Throws an EditError that begins with `which`.
 */
export function replaceExactly(
  text: string | undefined,
  { before, after, all }: Replacement,
  which = '',
): { text: string; count: number } {
  if (before === after) throw new EditError(`${which}old_string and new_string are the same: nothing to replace`);
  if (before === '') {
    if (text !== undefined && text !== '')
      throw new EditError(`${which}old_string is empty, and the file is not: say what to replace`);
    return { text: after, count: 1 };
  }
  if (text === undefined) throw new EditError('there is no such file');
  const crlf = text.includes('\r\n') && !before.includes('\r\n') && !text.includes(before);
  const wanted = crlf ? before.replaceAll('\n', '\r\n') : before;
  const made = crlf ? after.replaceAll(/\r?\n/g, '\r\n') : after;
  const pieces = text.split(wanted);
  const found = pieces.length - 1;
  if (found === 0) throw new EditError(`${which}old_string is not in the file${hint(text, before)}`);
  if (found > 1 && !all)
    throw new EditError(
      `${which}old_string is in the file ${count(found, 'time')}: add lines around it until it is there once, or set replace_all`,
    );
  return { text: pieces.join(made), count: found };
}

/** Where the first line of a text that was not found stands with other blanks. */
function hint(text: string, before: string): string {
  const first = before
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  if (first === undefined) return ': read it again';
  const at = text.split('\n').findIndex((line) => line.trim() === first);
  return at < 0
    ? ': read it again'
    : `; its first line is on line ${at + 1} with other blanks, or other lines follow it`;
}
