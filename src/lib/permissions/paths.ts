// Where a path leads, links followed, also if nothing is there yet; and whether that is inside.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A chain of links longer than this leads nowhere, as in the kernel. */
const LINKS = 40;

/**
 * The file that a path names once every symbolic link is followed, those of its last part and of parts that do not exist yet included. Throws
 * an Error with the system's code (ELOOP, EACCES) if it cannot be known.
 */
export function realPath(path: string, cwd: string, links = LINKS): string {
  const absolute = resolve(cwd, path);
  try {
    return realpathSync(absolute);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  if (dirname(absolute) === absolute) return absolute;
  const parent = realPath(dirname(absolute), '/', links);
  const here = join(parent, basename(absolute));
  const target = linkAt(here);
  if (target === undefined) return here;
  if (links === 0) throw Object.assign(new Error(`too many symbolic links: ${path}`), { code: 'ELOOP' });
  return realPath(target, parent, links - 1);
}

/** Where a link points that leads to nothing yet. */
function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** Whether an absolute path is a directory or below it. Both must be real paths for the answer to mean anything. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
