// Glob: files by their names, the latest first.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { type Tool, ToolError } from '../lib/cli/tool.ts';
import { globOf } from '../lib/config/picomatch.ts';
import { optionalText, text } from './fields.ts';
import { readable, shown } from './roots.ts';
import { hiddenBy, walk } from './walk.ts';

const MOST = 200;

const glob: Tool = (input, context) => {
  const { directory, rest } = split(text(input, 'pattern'));
  const base = optionalText(input, 'path') ?? '.';
  const path = directory === '' ? base : directory.startsWith('/') ? directory : `${base}/${directory}`;
  const root = readable(path, context);
  const stat = statSync(root, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) throw new ToolError(`${path} is not a directory`);
  const dot = rest.split('/').some((part) => part.startsWith('.'));
  const matches = globOf(rest, dot);
  const found: { path: string; time: number }[] = [];
  for (const { path: file, directory: isDirectory } of walk(root, { dot, ignore: true, hidden: hiddenBy(context.env) }))
    if (!isDirectory && matches(relative(root, file)))
      found.push({ path: file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 });
  if (found.length === 0) return 'No files found.';
  found.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
  const names = found.slice(0, MOST).map((file) => shown(file.path, context));
  const more = found.length > MOST ? `\n(${found.length - MOST} more: use a narrower pattern)` : '';
  return names.join('\n') + more;
};

export default glob;

/** What stands before the first wildcard is a directory; a pattern without any is one file. */
function split(pattern: string): { directory: string; rest: string } {
  const literal = pattern.split(/[*?[{(!]/)[0] ?? '';
  const at = literal.lastIndexOf('/') + 1;
  return {
    directory: pattern.slice(0, at) === '/' ? '/' : pattern.slice(0, Math.max(0, at - 1)),
    rest: pattern.slice(at),
  };
}
