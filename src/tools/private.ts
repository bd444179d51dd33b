// Files that only their owner may read.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { ToolError } from '../lib/cli/tool.ts';
import { beside } from './roots.ts';

/** Writes a file in one step, readable by its owner alone. */
export function writePrivate(path: string, text: string, random: number): void {
  const draft = beside(path, random);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new ToolError(`${path} cannot be written: ${(error as Error).message}`);
  }
}
