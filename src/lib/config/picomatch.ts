// The only file that knows the library of globs.
import picomatch from 'picomatch';

export { picomatch };

/** Whether a path fits a pattern, as shells have it: `**` crosses slashes, a star does not, and names with a dot are found if `dot` says so. */
export function globOf(pattern: string, dot: boolean): (path: string) => boolean {
  return picomatch(pattern, { dot, nonegate: true });
}
