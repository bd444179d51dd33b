// Appends JSON lines to a file that other processes may append to: one write a line, readable by the user alone. For traces and cassettes.
import { appendFileSync } from 'node:fs';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';

/** `what` names the file in the Failure (74) where it cannot be written. */
export function appendLine(path: string, value: object, what: string): void {
  try {
    appendFileSync(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new Failure(EXIT.io, `cannot write ${what}: ${error instanceof Error ? error.message : error}`, {
      place: path,
    });
  }
}
