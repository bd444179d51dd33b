// Names without a provider: whose model they are, and who of those that serve it is meant.
import { EXIT, Failure } from '../failure/failure.ts';
import { canonical } from './canonical.ts';
import { type Catalogue, undated } from './catalogue.ts';
import { ambiguous, type Choice, choose, type Names, ofFamily, unknown } from './choice.ts';
import { isSlip, isVersion, type Listed, search } from './search.ts';
import type { Provider } from './types.ts';

/**
 * The company whose own model it is, if its key is at hand; else the one provider that lists the name and whose key is; else the company again;
 * else the only one that lists it. Throws a Failure (78) with the candidates where several are left, with the nearest names where nobody is.
 */
export function bareName(name: string, names: Names, catalogue: Catalogue): Choice {
  const exact = catalogue.listing(name);
  const listing = exact.length > 0 ? exact : catalogue.listing(undated(name));
  return (
    madeBy(name, listing, names, catalogue) ??
    among(
      listing.map((provider) => ({ provider, id: name })),
      name,
      names,
      catalogue,
    ) ??
    fitting(name, names, catalogue)
  );
}

/** The maker's, unless only the key of somebody who lists the name is at hand. */
function madeBy(name: string, listing: readonly string[], names: Names, catalogue: Catalogue): Choice | undefined {
  const maker = makerOf(name, catalogue);
  if (maker === undefined) return undefined;
  const others = listing.filter((one) => one !== maker.name);
  if (!isKeyed(maker, names) && others.some((one) => isKeyed(catalogue.providers.get(one), names))) return undefined;
  return atMaker(name, maker, listing, catalogue);
}

const isKeyed = (provider: Provider | undefined, { hasKey }: Names): boolean =>
  provider !== undefined && (hasKey?.(provider) ?? false);

/** The vendor whose names begin so, and that serves it. */
function makerOf(name: string, catalogue: Catalogue): Provider | undefined {
  const id = name.replace(FINE_TUNED, '').toLowerCase();
  return [...catalogue.providers.values()].find(
    ({ names, unserved }) =>
      names?.some((start) => id.startsWith(start)) && !unserved?.some((start) => id.startsWith(start)),
  );
}

/** How OpenAI and Mistral name the models that their users have tuned: `ft:gpt-4o-mini:org::id`. */
const FINE_TUNED = /^ft:/;

function atMaker(name: string, maker: Provider, listing: readonly string[], catalogue: Catalogue): Choice | undefined {
  if (catalogue.model(name, maker.name))
    return choose(maker, name, `${maker.name} is listed as the provider of ${name}`, catalogue);
  const same = [...catalogue.models(maker.name).keys()].find((other) => canonical(other) === canonical(name));
  if (same !== undefined) return choose(maker, same, `${maker.name} makes it, and calls it ${same}`, catalogue);
  const newest = ofFamily(name, maker, catalogue);
  if (newest !== undefined) return choose(maker, newest, `${newest} is ${maker.name}'s present ${name}`, catalogue);
  if (/\s/.test(name)) return undefined;
  const known = listing.length > 0 || FINE_TUNED.test(name) || isResold(name, maker, catalogue);
  if (!known && !isNew(name, maker, catalogue)) return undefined;
  return choose(maker, name, `names with this prefix are ${maker.name}'s, though ${name} is not listed`, catalogue);
}

/** Whether a gateway lists it as MAKER/NAME. */
function isResold(name: string, { name: maker, prefixes = [] }: Provider, catalogue: Catalogue): boolean {
  return [maker, ...prefixes].some((at) => catalogue.listing(`${at}/${name}`).length > 0);
}

/** Whether a maker may have brought it out lately: no slip of the pen, nor a word without a version that nobody knows. */
function isNew(name: string, maker: Provider, catalogue: Catalogue): boolean {
  const models = [...catalogue.models(maker.name).keys()];
  const alike = models.filter((id) => begin(id) === begin(name));
  if (isSlip(name, alike)) return false;
  return /\d/.test(name) || isVersion(name, models) || (models.length === 0 && !maker.names?.includes(name));
}

/** The first letters, up to the version: `gpt` of `gpt-5`, `o` of `o3-mini`. */
const begin = (id: string): string => canonical(id).match(/^[a-z]*/)?.[0] ?? '';

/** Undefined where nobody lists it. */
function among(at: readonly Listed[], name: string, names: Names, catalogue: Catalogue): Choice | undefined {
  const all = at.flatMap(({ provider, id }) => {
    const found = catalogue.providers.get(provider);
    return found ? [{ provider: found, id }] : [];
  });
  if (all.length === 0) return undefined;
  const keyed = all.filter(({ provider }) => isKeyed(provider, names));
  const vendors = all.filter(({ provider }) => provider.kind === 'vendor');
  const [left = all] = [keyed, vendors].filter((some) => some.length > 0);
  const [first] = left;
  if (first === undefined || left.length > 1)
    throw ambiguous(
      name,
      left.map(({ provider, id }) => ({ provider: provider.name, id })),
    );
  const { provider, id } = first;
  const why = left === vendors ? 'is listed as the provider of' : 'serves';
  return choose(provider, id, `${provider.name} ${why} ${id}`, catalogue);
}

/** Words that only one model's name holds. A path or a tag is no words: what is left of it when it is taken apart is another model. */
function fitting(name: string, names: Names, catalogue: Catalogue): Choice {
  const found = /[/:@]/.test(name) ? [] : search(name, catalogue);
  const [first] = found;
  if (first !== undefined && found.length === 1) {
    const choice = ofFound(first.name, shortest(first.at), name, names, catalogue);
    return { ...choice, reason: `only ${choice.model} fits ${JSON.stringify(name)}; ${choice.reason}` };
  }
  if (found.length > 1)
    throw ambiguous(
      name,
      found.flatMap(({ at: [one] }) => one ?? []),
    );
  const provider = catalogue.provider(name);
  if (provider === undefined) throw unknown(name, 'or write PROVIDER/MODEL', catalogue);
  const some = catalogue
    .current(provider)
    .slice(0, 3)
    .map(({ id }) => `${provider.name}/${id}`);
  throw new Failure(EXIT.config, `${name} is a provider, not a model`, {
    hint: `write ${some.length > 0 ? some.join(' or ') : `${provider.name}/MODEL`}`,
  });
}

/** A model that words have found: its maker's, whoever else serves it, unless only others list it and have a key. */
function ofFound(found: string, at: readonly Listed[], name: string, names: Names, catalogue: Catalogue): Choice {
  const maker = makerOf(found, catalogue);
  const own = at.find(({ provider }) => provider === maker?.name);
  const keyed = at.some(({ provider }) => isKeyed(catalogue.providers.get(provider), names));
  const [first] = at;
  if (maker && (own || isKeyed(maker, names) || !keyed) && first) {
    const id = own?.id ?? first.id.slice(first.id.lastIndexOf('/') + 1);
    return choose(maker, id, `${maker.name} makes it`, catalogue);
  }
  return among(at, found, names, catalogue) ?? fail(name, catalogue);
}

function fail(name: string, catalogue: Catalogue): never {
  throw unknown(name, 'or write PROVIDER/MODEL', catalogue);
}

/** One for each provider: that with the shortest id, which is the undated one. */
function shortest(at: readonly Listed[]): Listed[] {
  return at.filter(({ provider }, i) => at.findIndex((other) => other.provider === provider) === i);
}
