// New lines before a line, or at the end.
import { count, EditError, type Edited } from './edited.ts';

/** Puts `content` before line `line` (from 1), or at the end for 0. The file's line ends are kept. Throws an EditError beyond the end. */
export function insertAt(text: string, line: number, content: string): Edited {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const added = content.replace(/\r?\n$/, '').split(/\r?\n/);
  const closed = text === '' || text.endsWith('\n');
  const lines = text === '' ? [] : (closed ? text.replace(/\r?\n$/, '') : text).split(/\r?\n/);
  if (line > lines.length + 1)
    throw new EditError(`line ${line} is beyond the end: the file has ${count(lines.length, 'line')}`);
  const at = line === 0 ? lines.length : line - 1;
  const all = [...lines.slice(0, at), ...added, ...lines.slice(at)];
  return {
    text: all.join(end) + (closed || at === lines.length ? end : ''),
    done: `Inserted ${count(added.length, 'line')} at line ${at + 1}.`,
  };
}
