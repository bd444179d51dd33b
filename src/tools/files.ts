// Files of text, read whole and written whole.

import { isUtf8 } from 'node:buffer';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '../lib/cli/tool.ts';
import { beside } from './roots.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** A file of more bytes is not edited. */
const LARGEST = 50 * 1024 * 1024;

interface TextFile {
  readonly text: string;
  /** A byte order mark that stood before the text. */
  readonly mark: string;
  readonly mode: number;
}

/** A file's text; undefined if there is no file. Throws a ToolError for what is no file of UTF-8 text. */
export function readText(real: string, path: string): TextFile | undefined {
  const stat = statSync(real, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) throw new ToolError(`${path} is a directory`);
  if (!stat.isFile()) throw new ToolError(`${path} is not a regular file`);
  if (stat.size > LARGEST) throw new ToolError(`${path} is too large to be edited (${stat.size} bytes)`);
  const bytes = reading(path, () => readFileSync(real));
  if (!isUtf8(bytes) || bytes.includes(0)) throw new ToolError(`${path} is not text in UTF-8: it is not edited`);
  const all = bytes.toString('utf8');
  const mark = all.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { text: all.slice(mark.length), mark, mode: stat.mode & 0o7777 };
}

/** Writes a file in one step: readers see the old one or the new one. Its mode stays; directories are made. */
export function writeWhole(real: string, path: string, text: string, random: number): void {
  const before = statSync(real, { throwIfNoEntry: false });
  if (before && !before.isFile()) throw new ToolError(`${path} is not a regular file`);
  const draft = beside(real, random);
  try {
    mkdirSync(dirname(real), { recursive: true });
    writeFileSync(draft, text, { flag: 'wx', mode: before ? 0o600 : 0o666 });
    if (before) chmodSync(draft, before.mode & 0o7777);
    renameSync(draft, real);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new ToolError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Runs `read`; what the system says becomes a ToolError. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ToolError(`${path} cannot be read: ${REASONS[code ?? ''] ?? message}`);
  }
}

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
};
