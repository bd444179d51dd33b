// Files that decide what runs: read only if nobody but their owner may change them.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, Failure } from '../failure/failure.ts';

/** The text of such a file; `path` is as the user wrote it. Throws a Failure (78) if others may write to it or it cannot be read. */
export function trustedText(path: string, cwd: string): string {
  const file = resolve(cwd, path);
  try {
    if ((statSync(file).mode & 0o022) !== 0)
      throw new Failure(EXIT.config, 'cannot trust the file: others may write to it', {
        place: path,
        hint: `chmod go-w ${path}`,
      });
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (error as Error).message;
    throw new Failure(EXIT.config, `cannot read the file: ${why}`, { place: path });
  }
}

/** JSON, or else YAML. Throws a Failure (78) with the place for a text that is neither. */
export async function parseSettings(text: string, path: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { loadYaml, parseYaml } = await import('./yaml.ts');
    return parseYaml(await loadYaml(), text, path).value;
  }
}
