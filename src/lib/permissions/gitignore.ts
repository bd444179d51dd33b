// Patterns of paths as in .gitignore. The only file that knows the library.
import ignore from 'ignore';

/** Whether paths (relative to where the patterns belong, `/` between parts, one `/` at the end for a directory) match some pattern. */
export type Matches = (path: string) => boolean;

/** Compiles patterns. Case counts, except where file systems commonly do not tell it apart. */
export function gitignore(patterns: readonly string[]): Matches {
  const ignorecase = process.platform === 'darwin' || process.platform === 'win32';
  const compiled = ignore({ ignorecase, allowRelativePaths: true }).add(patterns);
  return (path) => path !== '' && compiled.ignores(path);
}

/** A directory as the literal beginning of a pattern. */
export const literally = (directory: string): string => directory.replace(/[\\*?[\]!#]/g, '\\$&').replace(/ $/, '\\ ');
