// How a file ends that is about to be appended to.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const NEWLINE = 10;

/** Whether a descriptor is a file with something in it, and its last line has no end. Where that cannot be told: no. */
export function endsInsideLine(fd: number): boolean {
  let reader: number | undefined;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size === 0) return false;
    // Opened anew: what is written to may not be readable.
    reader = openSync(`/dev/fd/${fd}`, 'r');
    const last = new Uint8Array(1);
    return readSync(reader, last, 0, 1, stat.size - 1) === 1 && last[0] !== NEWLINE;
  } catch {
    return false;
  } finally {
    if (reader !== undefined) closeSync(reader);
  }
}
