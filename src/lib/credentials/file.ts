// Files that hold secrets: what is wrong with one is told without a word of it.
import { readFileSync } from 'node:fs';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject, type JsonObject } from '../json/values.ts';

/** The text of a file; undefined where there is none. `what` is in it, for the Failure (78) where it cannot be read. */
export function readSecretText(file: string, what: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failure(EXIT.config, `cannot read the ${what}`, { place: file });
  }
}

/** The object in a JSON file; undefined where there is no file. Throws a Failure (78) that quotes nothing of it. */
export function readSecretObject(file: string, what: string): JsonObject | undefined {
  const text = readSecretText(file, what);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below, without the text.
  }
  throw new Failure(EXIT.config, `cannot read the ${what}: it is not a JSON object`, { place: file });
}
