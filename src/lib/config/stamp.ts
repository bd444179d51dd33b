// When a file was last changed.
import { statSync } from 'node:fs';

/** A stamp of a file that changes when the file does. */
export function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}
