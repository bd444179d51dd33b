// Matchers: which tools (or sources, or reasons) a group of hooks is for.
import { EXIT, Failure } from '../failure/failure.ts';

/** Any of the names will do: those that a tool is known by. */
export type Matcher = (names: readonly string[]) => boolean;

/** Names are a model's to choose; longer ones than this are no tool's, and no expression is tried on them. */
const LONGEST = 256;

/**
 * `""` and `*` match all. Letters, digits, `_`, `-`, blanks, commas and `|` alone are exact names; anything else is an expression of JavaScript,
 * not anchored. Throws a Failure (78) with the place for an expression that is none.
 */
export function compileMatcher(matcher: string, place: string): Matcher {
  const text = matcher.trim();
  if (text === '' || text === '*') return () => true;
  if (/^[\w\s,|-]+$/.test(text)) {
    const exact = new Set(text.split(/[,|]/).map((name) => name.trim()));
    return (names) => names.some((name) => exact.has(name));
  }
  try {
    const expression = new RegExp(text);
    // A name that is not looked at is taken for a match: a hook that forbids must not be got round.
    return (names) => names.some((name) => name.length > LONGEST || expression.test(name));
  } catch (error) {
    throw new Failure(EXIT.config, `cannot use the matcher ${JSON.stringify(matcher)}: ${(error as Error).message}`, {
      place,
    });
  }
}
