// Names and ids that an API does not take get others: the same each time, never two the same, and the old ones are known again.
import { digest } from '../ir/digest.ts';
import { isSpelled, type Spelling } from './limits.ts';

/** How often a name came so far. */
interface Turns {
  readonly stem: string;
  count: number;
}

/** The new names of one conversation. */
export class Renames {
  readonly #spelling: Spelling;
  /** Names that are their own: most are. */
  readonly #good = new Set<string>();
  /** Good names that now mean something else: nobody else gets them. */
  readonly #kept = new Set<string>();
  readonly #renamed = new Map<string, string>();
  readonly #taken = new Map<string, string>();
  readonly #turns = new Map<string, Turns>();

  constructor(spelling: Spelling) {
    this.#spelling = spelling;
  }

  /** The name that stands for `old`: itself where it is good and free, else the nearest good one. */
  of(old: string): string {
    if (this.#good.has(old)) return old;
    return (this.#renamed.size > 0 ? this.#renamed.get(old) : undefined) ?? this.#first(old);
  }

  #first(old: string): string {
    if (isSpelled(old, this.#spelling) && !this.#taken.has(old)) {
      this.#good.add(old);
      return old;
    }
    let name = nearest(old, this.#spelling, 0);
    for (let again = 1; this.#isTaken(name); again += 1) name = nearest(old, this.#spelling, again);
    return this.#rename(old, name);
  }

  /** Another name for one that comes again and means something else: with the number of its turn. */
  again(old: string): string {
    const turns = this.#turns.get(old) ?? { stem: nearest(old, this.#spelling, 0), count: 1 };
    let name: string;
    do {
      turns.count += 1;
      name = numbered(old, turns, this.#spelling);
    } while (this.#isTaken(name));
    this.#turns.set(old, turns);
    if (this.#good.delete(old)) this.#kept.add(old);
    return this.#rename(old, name);
  }

  #rename(old: string, name: string): string {
    this.#renamed.set(old, name);
    this.#taken.set(name, old);
    return name;
  }

  #isTaken(name: string): boolean {
    return this.#good.has(name) || this.#kept.has(name) || this.#taken.has(name);
  }
}

function numbered(old: string, { stem, count }: Turns, spelling: Spelling): string {
  if (!spelling.pattern.test('a')) return nearest(old, spelling, count);
  const end = `_${count}`;
  return `${stem.slice(0, spelling.most - end.length)}${end}`;
}

const HASH = 8;

/** A good name made of a bad one. From the second try on, and for one that is too long, with a hash of the old one. */
function nearest(old: string, spelling: Spelling, again: number): string {
  const { most } = spelling;
  const hash = digest([old, again]);
  if (!spelling.pattern.test('a')) return fixed(hash, most);
  const clean = cleaned(own(old), spelling.pattern);
  if (again === 0 && clean.length <= most) return clean;
  return `${clean.slice(0, most - HASH - 1)}_${hash.slice(0, HASH)}`;
}

/**
 * An id without what others have packed behind it: an item's id (`call_1|fc_2`, pi-ai), or a signature (`call_1__thought__…`, LiteLLM). What
 * was packed is in the old id.
 */
const own = (old: string): string => old.split(/\||__thought__/, 1)[0] || old;

/** As many letters and digits as are asked for. */
const fixed = (hash: string, length: number): string => hash.slice(-length).padStart(length, '0');

/** `_` in place of what is not allowed. */
function cleaned(old: string, pattern: RegExp): string {
  const text = [...old].map((c) => (pattern.test(`a${c}`) ? c : '_')).join('');
  return pattern.test(text) ? text : `_${text}`;
}
