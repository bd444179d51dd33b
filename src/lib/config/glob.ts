// Patterns of names: `*`, `?`, `[…]`, `{a,b}`. The only file that knows the library.
import picomatch from 'picomatch';

/** Whether a name fits any of the patterns, whatever the case. A star crosses slashes, since model ids hold some. */
export function anyOf(patterns: readonly string[]): (name: string) => boolean {
  if (patterns.length === 0) return () => false;
  return picomatch([...patterns], { bash: true, dot: true, nocase: true, nonegate: true, nobrace: false });
}

/** Whether a path fits a pattern, as shells have it: `**` crosses slashes, a star does not, and names with a dot are found if `dot` says so. */
export function globOf(pattern: string, dot: boolean): (path: string) => boolean {
  return picomatch(pattern, { dot, nonegate: true });
}
