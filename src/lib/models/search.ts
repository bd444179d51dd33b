// Names that are not quite a model's: what they fit, and what they are near to.
import { distance } from '../ir/distance.ts';
import { canonical, terms } from './canonical.ts';
import type { Catalogue } from './catalogue.ts';

/** A model as PROVIDER and ID. */
export interface Listed {
  readonly provider: string;
  readonly id: string;
}

/** Models that are the same one at several providers, the maker's first, then those with the shortest ids. */
export interface Found {
  readonly name: string;
  readonly at: readonly Listed[];
}

/** Longer names are not looked for: no model has one. */
const LONGEST = 120;

/** The models whose names hold every term of `name`, of makers if any. One spelled like it, but for punctuation and case, is the only one. */
export function search(name: string, catalogue: Catalogue): Found[] {
  const wanted = terms(name);
  if (name.length > LONGEST || wanted.length === 0) return [];
  const all = grouped(catalogue, (id) => wanted.every((term) => id.toLowerCase().includes(term)));
  const makers = all.filter(({ at: [first] }) => first && isMakers(first, catalogue));
  const same = [...makers, ...all].find((found) => flat(found.name) === flat(canonical(name)));
  if (same) return [same];
  const fits = ({ name: other }: Found) => {
    const has = terms(other);
    return wanted.every((term) => has.some((own) => own === term || (term.length > 2 && own.startsWith(term))));
  };
  const found = makers.filter(fits);
  return found.length > 0 ? found : all.filter(fits);
}

const isMakers = ({ provider }: Listed, catalogue: Catalogue): boolean =>
  catalogue.providers.get(provider)?.kind === 'vendor';

const flat = (name: string): string => name.replace(/[^a-z\d]/g, '');

function grouped(catalogue: Catalogue, wanted: (id: string) => boolean): Found[] {
  const groups = new Map<string, Listed[]>();
  for (const [provider, ids] of catalogue.ids())
    for (const id of ids) {
      if (!wanted(id)) continue;
      const name = canonical(id);
      const at = groups.get(name);
      if (at) at.push({ provider, id });
      else groups.set(name, [{ provider, id }]);
    }
  const far = (listed: Listed) => (isMakers(listed, catalogue) ? 0 : 1000) + listed.id.length;
  return [...groups].map(([name, at]) => ({ name, at: at.sort((a, b) => far(a) - far(b)) }));
}

/** The `count` models whose names are nearest to `name`, as PROVIDER/MODEL, the nearest first; of equals, a maker's. */
export function nearestModels(name: string, catalogue: Catalogue, count: number): string[] {
  const word = canonical(name.slice(0, LONGEST));
  const best: { far: number; name: string }[] = [];
  for (const { name: other, at } of grouped(catalogue, () => true)) {
    const longer = Math.max(word.length, other.length);
    const resold = at[0] && isMakers(at[0], catalogue) ? 0 : RESOLD;
    const worst = best[count - 1]?.far ?? Number.POSITIVE_INFINITY;
    if (unlike(word, other) / longer + resold >= worst) continue;
    best.push({ far: distance(word, other) / longer + resold, name: `${at[0]?.provider}/${at[0]?.id}` });
    best.sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
    best.length = Math.min(best.length, count);
  }
  return best.map((one) => one.name);
}

/** How much farther a model seems that its maker does not serve. */
const RESOLD = 0.1;

/** A lower bound of the distance: the letters of each word that the other has not. */
function unlike(a: string, b: string): number {
  const counts = new Int32Array(128);
  for (let i = 0; i < a.length; i++) counts[a.charCodeAt(i) & 127] = (counts[a.charCodeAt(i) & 127] ?? 0) + 1;
  for (let i = 0; i < b.length; i++) counts[b.charCodeAt(i) & 127] = (counts[b.charCodeAt(i) & 127] ?? 0) - 1;
  let more = 0;
  let less = 0;
  for (const count of counts) {
    if (count > 0) more += count;
    else less -= count;
  }
  return Math.max(more, less);
}

/** A name without its versions: `gpt-terra` of `gpt-6.1-terra`. */
export function family(id: string): string {
  const steps = canonical(id).split('-');
  return steps.filter((step) => !/\d/.test(step)).join('-');
}

/** The known id of which `id` is a slip of the pen: a letter or two away, and not another version. */
export function slipOf(id: string, known: Iterable<string>): string | undefined {
  const own = family(id);
  const near: string[] = [];
  for (const other of known) {
    const theirs = family(other);
    if (theirs === own) return undefined;
    if (Math.abs(theirs.length - own.length) <= 2 && distance(own, theirs) <= (own.length < 10 ? 1 : 2))
      near.push(other);
  }
  return near[0];
}
