// Grep: lines that match a pattern, by ripgrep where it is installed, else by a walk of our own. Both find the same.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { type Tool, type ToolContext, ToolError } from '../../lib/cli/tool.ts';
import { globOf } from '../../lib/config/picomatch.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { flag, optionalInteger, optionalText, text } from '../fields.ts';
import { readable, shown } from '../roots.ts';
import { hiddenBy } from '../walk.ts';
import { Report } from './report.ts';
import { byRipgrep } from './ripgrep.ts';
import type { Search } from './search.ts';

const grep: Tool = async (input, context) => {
  const search = searchFor(input, context);
  const report = new Report(search, (path) => shown(path, context));
  const found =
    (await byRipgrep(search, report, context)) || (await (await import('./own.ts')).byWalking(search, report));
  if (!found) throw new ToolError('the search failed');
  return report.text;
};

export default grep;

/** Claude Code's arguments and Roo Code's (`regex`, `file_pattern`). */
function searchFor(input: JsonObject, context: ToolContext): Search {
  const path = optionalText(input, 'path') ?? '.';
  const root = readable(path, context);
  const stat = statSync(root, { throwIfNoEntry: false });
  if (stat === undefined) throw new ToolError(`${path}: there is no such file or directory`);
  const around = optionalInteger(input, 0, '-C', 'context') ?? 0;
  const mode = modeOf(input);
  const hidden = hiddenBy(context.env);
  const glob = optionalText(input, 'glob', 'file_pattern');
  return {
    pattern: text(input, 'pattern', 'regex'),
    root,
    isFile: !stat.isDirectory(),
    mode,
    before: mode === 'content' ? (optionalInteger(input, 0, '-B') ?? around) : 0,
    after: mode === 'content' ? (optionalInteger(input, 0, '-A') ?? around) : 0,
    ignoreCase: flag(input, '-i'),
    numbers: input['-n'] !== false && input['-n'] !== 'false',
    multiline: flag(input, 'multiline'),
    ...(optionalText(input, 'type') && { type: optionalText(input, 'type') }),
    most: optionalInteger(input, 0, 'head_limit') ?? 250,
    skip: optionalInteger(input, 0, 'offset') ?? 0,
    hides: (file) => hidden(file),
    wants: stat.isDirectory() ? wanted(glob, root) : () => true,
  };
}

/** A glob without a slash is about names, another about paths from where the search begins. Names with a dot before them are not looked at. */
function wanted(glob: string | undefined, root: string): (file: string) => boolean {
  const pattern = glob?.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`;
  const matches = glob ? globOf(pattern, true) : () => true;
  return (file) => {
    const path = relative(root, file);
    return !/(^|\/)\./.test(path) && matches(path);
  };
}

function modeOf(input: JsonObject): Search['mode'] {
  const roo = input.regex !== undefined && input.pattern === undefined;
  const mode = optionalText(input, 'output_mode') ?? (roo ? 'content' : 'files_with_matches');
  if (mode === 'content' || mode === 'count' || mode === 'files_with_matches') return mode;
  throw new ToolError('"output_mode" must be content, files_with_matches or count');
}
