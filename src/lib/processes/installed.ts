// Where the files are that come with the programs: tools, agents.
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package's own directory of that name, wherever this file was bundled to; undefined if it is not installed. */
export function installed(directory: 'tools' | 'agents'): string | undefined {
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at))
    if (isFile(join(at, 'tools/Read.json'))) return join(at, directory);
  return undefined;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
