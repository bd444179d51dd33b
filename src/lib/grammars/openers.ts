// Which grammars may begin at a place: their openers, by the character that is rarest in prose.
import type { Source, Tag } from './source.ts';
import { GRAMMARS } from './table.ts';
import type { Grammar } from './types.ts';

export interface Opener {
  readonly grammar: Grammar;
  readonly opener: string;
  /** How far behind the opener's beginning the character stands that it is looked up by. */
  readonly anchor: number;
}

/** The characters that anything of interest begins with, or is found by. */
const HOT = new Uint8Array(128);
for (const c of '\n`<{[(:=>*|&') HOT[c.charCodeAt(0)] = 1;
/** ✿ and ◁, of the few marks beyond ASCII. */
const WIDE = new Set([0x273f, 0x25c1]);

/** Whether something may begin or be found at a character, by its code. */
export const isHotCode = (code: number): boolean => (code < 128 ? HOT[code] === 1 : WIDE.has(code));

const isHot = (c: string): boolean => isHotCode(c.charCodeAt(0));

/** Tags by name, with the namespace that they must have. */
const tags = new Map<string, { space: string | undefined; found: Opener }[]>();
/** Grammars that look at any tag. */
const anyTag: Opener[] = [];
const literals = new Map<number, Opener[]>();

function register(grammar: Grammar, opener: string): void {
  if (opener === '<') anyTag.push({ grammar, opener, anchor: 0 });
  else if (opener.startsWith('<') && !opener.includes(' ')) registerTag(grammar, opener);
  else {
    const anchor = Math.max(0, [...opener].findIndex(isHot));
    const code = opener.charCodeAt(anchor);
    literals.set(code, [...(literals.get(code) ?? []), { grammar, opener, anchor }]);
  }
}

/** A name in a namespace of DeepSeek or GigaChat. */
const MARKED = /^\|(DSML|GCML)\|(.+)$/;

/** A tag that is given with its end has no attributes and stands in its own namespace; without, in any. */
function registerTag(grammar: Grammar, opener: string): void {
  const whole = opener.endsWith('>');
  const inner = opener.slice(1, whole ? -1 : undefined);
  const [, marks, own] = MARKED.exec(inner) ?? [];
  const colon = marks !== undefined || inner.startsWith('|') || !whole ? -1 : inner.lastIndexOf(':');
  const name = (own ?? inner.slice(colon + 1)).toLowerCase();
  const space = whole ? (marks ?? (colon < 0 ? '' : inner.slice(0, colon))) : undefined;
  tags.set(name, [...(tags.get(name) ?? []), { space, found: { grammar, opener, anchor: 0 } }]);
}

/** The openers that stand at `at`, in the order of the table; `tag` is the tag there, if there is one. */
export function openersAt(source: Source, at: number, tag: Tag | undefined): readonly Opener[] {
  const found = tag ? (tag.closes ? anyTag : ofTag(tag)) : NONE;
  const others = literals.get(source.flat.charCodeAt(at));
  if (others === undefined) return found;
  const standing = others.filter(({ opener, anchor }) => stands(source, at - anchor, opener));
  return standing.length === 0 ? found : [...found, ...standing];
}

const NONE: readonly Opener[] = [];
const known = new Map<string, readonly Opener[]>();

/** The openers of a tag. There are few kinds of tags that have any. */
function ofTag({ key, space }: Tag): readonly Opener[] {
  const all = tags.get(key);
  if (all === undefined) return anyTag;
  const place = `${space}:${key}`;
  const before = known.get(place);
  if (before) return before;
  const found = [
    ...all.filter((one) => one.space === undefined || one.space === space).map((one) => one.found),
    ...anyTag,
  ];
  if (known.size < 1000) known.set(place, found);
  return found;
}

/** Whether an opener stands at `at`, and is no part of a word. */
function stands(source: Source, at: number, opener: string): boolean {
  if (at < 0 || !source.has(opener, at)) return false;
  return !WORD.test(opener[0] ?? '') || at === 0 || !WORD.test(source.text[at - 1] ?? '');
}

const WORD = /[\p{L}\p{N}_]/u;

for (const grammar of GRAMMARS) for (const opener of grammar.openers) register(grammar, opener);

/** The openers that are no tags, and more than one character. */
export const LITERALS: readonly string[] = [...literals.values()]
  .flat()
  .flatMap(({ opener }) => (opener.length > 1 ? [opener] : []));
