// The line of a text that says what went wrong.

/** A line that names an error: a word for it with what belongs to it, at the beginning or after a colon. */
const ERROR =
  /\b(error|exception|fatal|panic|traceback|failed|failure|denied|refused|not found|no such file|undefined reference|cannot|could not|timed? ?out|unexpected|assert(ion)?)\b/i;
/** Lines that only count or praise. */
const FINE =
  /\b(0 (errors?|failed|failures?)|no errors?|without errors?)\b|\berrors?"?[:=]\s*["'([]?(none|null|no|0|false|nil)\b/i;

/** Words of programs, not of prose or of source code that handles errors. */
const LOUD =
  /(^|[\s:(])(\w*(Error|Exception)(\s*\[[^\]]*\])?:|(error|fatal|panic)(\[\w+\]|\s+\w+\d+)?:|FAIL(ED|URE)?\b|Traceback\b|npm ERR!|ERR(OR)?\b[:! ])|command not found|No such file or directory|Permission denied|Segmentation fault|exit(ed with)? (code|status) [1-9]/;

const LONGEST = 200;
/** Of a long output the end matters, and a little of its beginning. Characters. */
const HEAD = 4000;
const TAIL = 16_000;

/** The first line about an error; where the whole result is one, its first line. undefined: nothing went wrong. */
export function firstError(text: string, failed: boolean): string | undefined {
  const lines = linesOf(text);
  const line = lines.find((candidate) => ERROR.test(candidate) && !FINE.test(candidate));
  if (line !== undefined) return clipped(line);
  const first = failed ? lines.find((candidate) => candidate.trim() !== '') : undefined;
  return first === undefined ? undefined : clipped(first);
}

/** The first line in which a program complains; undefined if none does. */
export function loudError(text: string): string | undefined {
  const line = linesOf(text).find((candidate) => LOUD.test(candidate) && !FINE.test(candidate));
  return line === undefined ? undefined : clipped(line);
}

function linesOf(text: string): string[] {
  const read = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  return read.split('\n').map((line) => line.slice(0, 2 * LONGEST));
}

/** Around the word that names the error, if the line is long. */
function clipped(line: string): string {
  const trimmed = line.trim();
  if (trimmed.length <= LONGEST) return trimmed;
  const at = Math.max(0, (ERROR.exec(trimmed)?.index ?? 0) - 40);
  return trimmed.slice(at, at + LONGEST).toWellFormed();
}
