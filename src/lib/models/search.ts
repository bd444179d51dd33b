// Names that are not quite a model's: what they fit, and what they are near to.
import { distance } from '../text/edit-distance.ts';
import { canonical, terms } from './canonical.ts';
import type { Catalogue } from './catalogue.ts';

/** A model as PROVIDER and ID. */
export interface Listed {
  readonly provider: string;
  readonly id: string;
}

/** Models that are the same one at several providers, the maker's first, then those with the shortest ids. */
interface Found {
  readonly name: string;
  readonly at: readonly Listed[];
}

/** Longer names are not looked for: no model has one. */
const LONGEST = 120;

/**
 * The models whose names hold every term of `name`, of makers if any. One spelled like it, but for punctuation and case, is the only one. One of the
 * terms may be the name of a provider.
 */
export function search(name: string, catalogue: Catalogue): Found[] {
  if (name.length > LONGEST) return [];
  const found = searchIn(name, catalogue);
  if (found.length > 0 || !/\s/.test(name.trim())) return found;
  const words = name.trim().split(/\s+/);
  const at = words.findIndex((word) => catalogue.provider(word) !== undefined);
  return at < 0 ? [] : searchIn(words.toSpliced(at, 1).join(' '), catalogue, catalogue.provider(words[at] ?? '')?.name);
}

function searchIn(name: string, catalogue: Catalogue, only?: string): Found[] {
  const wanted = terms(name);
  if (wanted.length === 0) return [];
  const all = grouped(catalogue, (id) => wanted.every((term) => id.toLowerCase().includes(term)), only);
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

function grouped(catalogue: Catalogue, wanted: (id: string) => boolean, only?: string): Found[] {
  const groups = new Map<string, Listed[]>();
  for (const [provider, ids] of catalogue.ids())
    for (const id of only === undefined || provider === only ? ids : []) {
      if (!wanted(id)) continue;
      const name = canonical(id);
      const at = groups.get(name);
      if (at) at.push({ provider, id });
      else groups.set(name, [{ provider, id }]);
    }
  const far = (listed: Listed) => (isMakers(listed, catalogue) ? 0 : 1000) + listed.id.length;
  return [...groups].map(([name, at]) => ({ name, at: at.sort((a, b) => far(a) - far(b)) }));
}

/** The `count` models whose names are nearest to `name`, as PROVIDER/MODEL, the nearest first; of equals, a maker's. `only` are looked at. */
export function nearestModels(name: string, catalogue: Catalogue, count: number, only?: string): string[] {
  const word = name.slice(0, LONGEST).toLowerCase();
  const wanted = { name: canonical(word), terms: word.match(TERM) ?? [] };
  const all = [...grouped(catalogue, () => true, only)].map(({ name: other, at: [first] }) => {
    const resold = first && (only !== undefined || isMakers(first, catalogue)) ? 0 : RESOLD;
    return { far: unlikeness(wanted, other, first?.provider ?? '') + resold, name: `${first?.provider}/${first?.id}` };
  });
  all.sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
  return all.slice(0, count).map((one) => one.name);
}

/** How much farther a model seems that its maker does not serve. */
const RESOLD = 0.2;

/** How much a term of a name counts that was not written, against one that was. */
const UNSAID = 0.2;

const TERM = /\d+|[a-z]+/g;

/** From 0 to 2: how far the spelling is off, and how far the words are, in any order and with the provider among them. */
function unlikeness(wanted: { name: string; terms: readonly string[] }, other: string, provider: string): number {
  const spelling = distance(wanted.name, other) / Math.max(wanted.name.length, other.length, 1);
  const own = other.match(TERM) ?? [];
  const words = [...own, ...(provider.match(TERM) ?? [])];
  const letters = wanted.terms.reduce((sum, term) => sum + term.length, 0);
  const off = wanted.terms.reduce((sum, term) => sum + term.length * Math.min(...words.map((w) => apart(term, w))), 0);
  const unsaid = own.filter((term) => wanted.terms.every((w) => apart(w, term) > 0.5)).join('').length;
  return spelling + Math.min(1, (off + UNSAID * unsaid) / Math.max(letters, 1));
}

/** From 0 to 1. Numbers are the same or not. */
function apart(a: string, b: string): number {
  if (a === b) return 0;
  const digits = (a[0] ?? '') <= '9' || (b[0] ?? '') <= '9';
  return digits ? 1 : distance(a, b) / Math.max(a.length, b.length);
}

/** A name without its versions: `gpt-terra` of `gpt-6.1-terra`. */
export function family(id: string): string {
  const steps = canonical(id).split('-');
  return steps.filter((step) => !/\d/.test(step)).join('-');
}

/** A name with its versions as `#`: `gpt-#-terra` of `gpt-6.1-terra`. */
const pattern = (id: string): string => canonical(id).replace(/\d+(?:-\d+)*/g, '#');

/** Whether a name is another version of one that is known, or of its family. */
export function isVersion(id: string, known: Iterable<string>): boolean {
  const line = (one: string) => pattern(one).replace(/-?#$/, '');
  const own = line(id);
  for (const other of known) if (line(other) === own || unversioned(other) === unversioned(id)) return true;
  return false;
}

/** A name without the steps that are numbers, wherever they stand: `claude-sonnet` of `claude-3-7-sonnet`. */
const unversioned = (id: string): string => {
  const steps = canonical(id).split('-');
  const words = steps.filter((step) => !/^\d+$/.test(step));
  return words.length === steps.length ? canonical(id) : words.join('-');
};

/** Letters of a name that can be a slip: shorter ones are near to everything. */
const LEAST = 4;

/** Whether `id` is a slip of the pen: some letters away from a known id or family, and not another version of one. */
export function isSlip(id: string, known: readonly string[]): boolean {
  if (id.length > LONGEST || isVersion(id, known)) return false;
  const own = pattern(id);
  if (own.replace(/[^a-z]/g, '').length < LEAST) return false;
  const isBare = /^[a-z]+-?#$/.test(own);
  if (isBare && known.some((other) => pattern(other).startsWith(own.slice(0, -1)))) return false;
  return known.map(pattern).some((theirs) => isNear(own, theirs) || isNear(own, theirs.replace(/-#$/, '')));
}

/** Step for step a letter away, or two in a long step; or all of it a letter away. A step more or less is another name. */
function isNear(own: string, theirs: string): boolean {
  if (own.startsWith(`${theirs}-`) || theirs.startsWith(`${own}-`)) return false;
  if (Math.abs(own.length - theirs.length) > 2) return false;
  const [ours, others] = [own.split('-'), theirs.split('-')];
  const flat = [ours, others].map((steps) => steps.join('')) as [string, string];
  if (ours.length !== others.length) return distance(...flat) <= 1;
  return ours.every((step, i) => distance(step, others[i] ?? '') <= (step.length > 5 ? 2 : 1));
}
