// LS: what is in a directory.
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { type Tool, ToolError } from '../lib/cli/tool.ts';
import { globOf } from '../lib/config/picomatch.ts';
import { flag, optionalText } from './fields.ts';
import { readable } from './roots.ts';
import { hiddenBy, walk } from './walk.ts';

const MOST = 1000;

/** One level, all of it; or with `recursive` everything below that ignore files do not name. */
const ls: Tool = (input, context) => {
  const path = optionalText(input, 'path') ?? '.';
  const root = readable(path, context);
  const stat = statSync(root, { throwIfNoEntry: false });
  if (stat === undefined) throw new ToolError(`${path}: there is no such directory`);
  if (!stat.isDirectory()) throw new ToolError(`${path} is a file: read it instead`);
  const recursive = flag(input, 'recursive');
  const unwanted = (Array.isArray(input.ignore) ? input.ignore : []).map((pattern) => globOf(String(pattern), true));
  const found: string[] = [];
  let left = 0;
  const options = { dot: !recursive, ignore: recursive, hidden: hiddenBy(context.env), depth: recursive ? 50 : 0 };
  for (const { path: each, directory } of walk(root, options)) {
    const name = relative(root, each);
    if (unwanted.some((matches) => matches(name) || matches(name.split('/').at(-1) ?? ''))) continue;
    if (found.length < MOST) found.push(directory ? `${name}/` : name);
    else left += 1;
  }
  if (found.length === 0) return '(the directory is empty)';
  return found.join('\n') + (left > 0 ? `\n(${left} more)` : '');
};

export default ls;
