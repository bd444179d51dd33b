// Lines added to a file that others may be adding to: one write each, and for nobody else to read.
import { appendFileSync } from 'node:fs';
import { EXIT, Failure } from '../../lib/failure/failure.ts';

/** Throws a Failure (74) that calls the file `what`. */
export function append(path: string, value: object, what: string): void {
  try {
    appendFileSync(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new Failure(EXIT.io, `cannot write ${what}: ${error instanceof Error ? error.message : error}`, {
      place: path,
    });
  }
}
