// Rules about paths: gitignore patterns with four beginnings. `//x` is absolute, `~/x` in the home directory, `/x` beside the file of rules, and
// anything else in the working directory.
import { relative } from 'node:path';
import { gitignore, literally, type Matches } from './gitignore.ts';
import { realPath } from './paths.ts';
import type { List, Rule } from './rule.ts';

export interface Place {
  /** The working directory of the tools. */
  readonly cwd: string;
  readonly home: string;
}

/** A path as rules see it: as it was written, and where it really leads. */
export interface RuledPath {
  readonly written: string;
  readonly real: string;
  /** What is below counts as well: it is where a search begins. */
  readonly tree?: true;
}

/** Both sides of a path; undefined if nobody can say where it leads (a loop of links, a directory that may not be entered). */
export function ruledPath(path: string, cwd: string, resolved: string, tree: boolean): RuledPath | undefined {
  if (path.includes('\0')) return undefined;
  try {
    return { written: resolved, real: realPath(path, cwd), ...(tree && { tree }) };
  } catch {
    return undefined;
  }
}

interface Anchored {
  readonly base: string;
  readonly patterns: readonly string[];
}

function anchor({ specifier = '', base }: Rule, list: List, { cwd, home }: Place): Anchored {
  if (specifier.startsWith('//')) return { base: '/', patterns: [specifier.slice(1)] };
  if (specifier.startsWith('~/')) return { base: home, patterns: [specifier.slice(1)] };
  if (specifier.startsWith('/')) return { base, patterns: [specifier] };
  const pattern = specifier.startsWith('./') ? specifier.slice(1) : specifier;
  // What is denied in a directory of some name is denied wherever a directory has that name.
  const anyDepth = list !== 'allow' && /^[^/]+\/\*\*$/.test(specifier) ? [`**/${specifier}`] : [];
  return { base: cwd, patterns: [pattern.startsWith('#') ? `\\${pattern}` : pattern, ...anyDepth] };
}

const compiled = new WeakMap<Rule, { base: string; matches: Matches }>();

/** Whether a rule covers a path. To allow, it must cover both sides of it; to deny or ask, one is enough. */
export function covers(rule: Rule, path: RuledPath, list: List, place: Place): boolean {
  let known = compiled.get(rule);
  if (known === undefined) {
    const { base, patterns } = anchor(rule, list, place);
    known = { base, matches: gitignore(patterns) };
    compiled.set(rule, known);
  }
  const { base, matches } = known;
  if (list === 'allow' && rule.specifier === '*') return true;
  const one = (side: string) => coversSide(base, matches, side, path.tree === true && list === 'allow');
  return list === 'allow' ? one(path.written) && one(path.real) : one(path.written) || one(path.real);
}

/** The names of nothing: a pattern that covers them covers whatever is there. */
const ANYTHING = ['\u{fffd}', '\u{fffd}/\u{fffd}'];

function coversSide(base: string, matches: Matches, side: string, tree: boolean): boolean {
  const way = relative(base, side);
  if (way === '..' || way.startsWith('../')) return false;
  if (tree) return ANYTHING.every((name) => matches(way === '' ? name : `${way}/${name}`));
  return way === '' ? false : matches(way) || matches(`${way}/`);
}

/** The patterns of a rule from the root of the file system, for searches that must not show what it covers. */
export function fromRoot(rule: Rule, place: Place): string[] {
  const { base, patterns } = anchor(rule, 'deny', place);
  const prefix = base === '/' ? '' : literally(base);
  return patterns.map((pattern) =>
    pattern.slice(0, -1).includes('/') ? `${prefix}/${pattern.replace(/^\//, '')}` : `${prefix}/**/${pattern}`,
  );
}
