// Names and ids that an API does not take get others: the same each time, never two the same, and the old ones are known again.

import { Recent } from '../../collections/lru-map.ts';
import { isSpelled, type Spelling } from '../../dialects/constraints.ts';
import { digest } from '../../json/digest.ts';

/** What stands for an old name, how many have stood for it so far, and whether the next that comes with it means something else. */
interface Given {
  name: string;
  times: number;
  closed: boolean;
}

/** The new names of one conversation, as far as they were met lately. */
export class Renames {
  readonly #spelling: Spelling;
  /** By the old names: most are their own. */
  readonly #given = new Recent<Given>();
  /** New names that are not the old ones. */
  readonly #taken = new Recent<true>();

  constructor(spelling: Spelling) {
    this.#spelling = spelling;
  }

  /** The name that stands for `old`: itself where it is good and free, else the nearest good one. */
  of(old: string): string {
    return (this.#given.get(old) ?? this.#first(old)).name;
  }

  /** The same where what comes with a closed name means something else: another name, with the number of its turn. */
  next(old: string): string {
    const given = this.#given.get(old);
    if (given === undefined) return this.#first(old).name;
    if (!given.closed) return given.name;
    given.closed = false;
    do {
      given.times += 1;
      given.name = numbered(old, given.times, this.#spelling);
    } while (this.#isTaken(given.name));
    this.#taken.set(given.name, true);
    return given.name;
  }

  /** The same for the last that comes with the name. */
  close(old: string): string {
    const given = this.#given.get(old) ?? this.#first(old);
    given.closed = true;
    return given.name;
  }

  #first(old: string): Given {
    let name = old;
    if (!isSpelled(old, this.#spelling) || (!this.#taken.isEmpty && this.#taken.has(old))) {
      name = nearest(old, this.#spelling, 0);
      for (let again = 1; this.#isTaken(name); again += 1) name = nearest(old, this.#spelling, again);
      this.#taken.set(name, true);
    }
    const given = { name, times: 1, closed: false };
    this.#given.set(old, given);
    return given;
  }

  #isTaken(name: string): boolean {
    return this.#given.has(name) || this.#taken.has(name);
  }
}

function numbered(old: string, count: number, spelling: Spelling): string {
  if (!spelling.pattern.test('a')) return nearest(old, spelling, count);
  const end = `_${count}`;
  return `${nearest(old, spelling, 0).slice(0, spelling.most - end.length)}${end}`;
}

const HASH = 8;

/** A good name made of a bad one. From the second try on, and for one that is too long, with a hash of the old one. */
function nearest(old: string, spelling: Spelling, again: number): string {
  const { most } = spelling;
  if (!spelling.pattern.test('a')) return fixed(digest([old, again]), most);
  const clean = cleaned(own(old), spelling.pattern);
  if (again === 0 && clean.length <= most) return clean;
  return `${clean.slice(0, most - HASH - 1)}_${digest([old, again]).slice(0, HASH)}`;
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
  if (pattern.test(old)) return old;
  const text = [...old].map((c) => (pattern.test(`a${c}`) ? c : '_')).join('');
  return pattern.test(text) ? text : `_${text}`;
}
