// Regular expressions that users write, matched in linear time (RE2's way: no look-around, no back-references).
import type * as Re2 from 're2js';
import { EXIT, Failure } from '../failure/failure.ts';

export type RegexEngine = typeof Re2;

export const loadRegex = async (): Promise<RegexEngine> => import('re2js');

export type Matcher = (text: string) => boolean;

/** Throws a Failure (78) with the place for a pattern that is none. */
export function compile(engine: RegexEngine, pattern: string, place: string): Matcher {
  try {
    const compiled = engine.RE2JS.compile(pattern);
    return (text) => compiled.test(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new Failure(EXIT.config, `cannot use the pattern ${JSON.stringify(pattern)}: ${why}`, { place });
  }
}
