// Which grammars may begin at a place: their openers, by the character that is rarest in prose.
import type { Source } from './source.ts';
import { GRAMMARS } from './table.ts';
import type { Tag } from './tag.ts';
import type { Grammar } from './types.ts';

export interface Opener {
  readonly grammar: Grammar;
  readonly opener: string;
  /** How far behind the opener's beginning the character stands that it is looked up by. */
  readonly anchor: number;
}

/** Tags by name, with the namespace that they must have. */
const tags = new Map<string, { space: string | undefined; found: Opener }[]>();
/** Grammars that look at any tag. */
const anyTag: Opener[] = [];
const literals = new Map<number, Opener[]>();

function register(grammar: Grammar, opener: string): void {
  if (opener === '<') anyTag.push({ grammar, opener, anchor: 0 });
  else if (opener.startsWith('<') && !opener.includes(' ')) registerTag(grammar, opener);
  else {
    const anchor = Math.max(0, opener.search(/[^\p{L}\p{N}_ ]/u));
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
export function* openersAt(source: Source, at: number, tag: Tag | undefined): Generator<Opener> {
  if (tag && !tag.closes)
    for (const { space, found } of tags.get(tag.name.toLowerCase()) ?? [])
      if (space === undefined || space === tag.space) yield found;
  for (const found of literals.get(source.flat.charCodeAt(at)) ?? [])
    if (stands(source, at - found.anchor, found.opener)) yield found;
  if (tag) yield* anyTag;
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
