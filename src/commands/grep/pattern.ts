// What is looked for: a pattern on single lines, in linear time.
import { loadRegex } from '../../lib/config/regex.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';

/** Beginning and end of a match in a line, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

export interface Pattern {
  /** Whether a line of this text may match. Costs less than to look at each. */
  mayMatch(text: string): boolean;
  /** The first match at or behind `from`. */
  find(line: string, from: number): Span | undefined;
}

interface PatternOptions {
  readonly fixed: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
}

/** Characters that mean something in an expression, but for `|` between plain texts. */
const META = /[\\^$.*+?()[\]{}]/;

/**
 * Compiles a pattern: an expression of RE2 (no look-around, no back-references). Plain texts, and several joined by `|`, are left to Node's own
 * engine: without repetition it has nothing to go back to. Throws a Failure (64) for a pattern that is none.
 */
export async function compilePattern(pattern: string, options: PatternOptions): Promise<Pattern> {
  const { fixed, ignoreCase, word } = options;
  if (!word && (fixed || !META.test(pattern))) {
    const texts = fixed ? [pattern] : pattern.split('|');
    return ignoreCase ? insensitive(texts) : texts.length === 1 ? literal(pattern) : alternatives(texts, '');
  }
  const { RE2JS } = await loadRegex();
  const source = fixed ? RE2JS.quote(pattern) : pattern;
  try {
    const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | RE2JS.MULTILINE;
    const compiled = RE2JS.compile(word ? `\\b(?:${source})\\b` : source, flags);
    return {
      mayMatch: (text) => compiled.matcher(text).find(),
      find: (line, from) => {
        const matcher = compiled.matcher(line);
        return matcher.find(from) ? [matcher.start(), matcher.end()] : undefined;
      },
    };
  } catch (error) {
    const why = /regexp: ([^:\n]+)/.exec(String(error))?.[1] ?? String(error);
    throw new Failure(EXIT.usage, `cannot use the pattern ${JSON.stringify(pattern)}: ${why}`, {
      hint: 'patterns have RE2 syntax; --fixed-strings searches for the text itself',
    });
  }
}

function literal(text: string): Pattern {
  return {
    mayMatch: (all) => all.includes(text),
    find: (line, from) => {
      const start = line.indexOf(text, from);
      return start < 0 ? undefined : [start, start + text.length];
    },
  };
}

const insensitive = (texts: readonly string[]): Pattern => alternatives(texts, 'i');

function alternatives(texts: readonly string[], flags: string): Pattern {
  const source = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const expression = new RegExp(source, `gu${flags}`);
  return {
    mayMatch: (all) => {
      expression.lastIndex = 0;
      return expression.test(all);
    },
    find: (line, from) => {
      expression.lastIndex = from;
      const found = expression.exec(line);
      return found ? [found.index, found.index + found[0].length] : undefined;
    },
  };
}
