// Records that are written straight into the conversation, past the stages between here and it.
import { closeSync, openSync, writeSync } from 'node:fs';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Json } from '../../lib/json/values.ts';

/** Appends one record with one write. Throws a Failure (74). */
export function appendLine(path: string, value: Json): void {
  try {
    const fd = openSync(path, 'a', 0o600);
    try {
      writeSync(fd, `${JSON.stringify(value)}\n`);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new Failure(EXIT.io, `cannot write: ${(error as Error).message}`, { place: path });
  }
}
