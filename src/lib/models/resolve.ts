// From what a user calls a model to the provider that serves it.
import { EXIT, Failure } from '../ir/failure.ts';
import { isAddress, readAddress } from './address.ts';
import { ALIASES, CHAINS } from './aliases.ts';
import { canonical } from './canonical.ts';
import { catalogue as builtIn, type Catalogue, undated } from './catalogue.ts';
import { family, isSlip, isVersion, type Listed, nearestModels, search } from './search.ts';
import type { Model, Provider } from './types.ts';

export interface Choice {
  readonly provider: Provider;
  /** The id that goes into the request. */
  readonly model: string;
  /** Undefined for a model that the catalogue does not list. */
  readonly facts?: Model;
  /** The base URL, where it is not one of the provider's. */
  readonly url?: string;
  readonly reason: string;
}

/** What names mean here and now. */
export interface Names {
  readonly catalogue?: Catalogue;
  /** The user's aliases; they go before everything else. */
  readonly aliases?: ReadonlyMap<string, readonly string[]>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether a credential is at hand: breaks ties between providers that serve the same model. */
  readonly hasKey?: (provider: Provider) => boolean;
}

/**
 * The model that a name means: an alias, PROVIDER/MODEL (or @ or :), an address, an id, or words that only one model's name holds. Of an alias'
 * models, the first whose key is at hand, else the first. Throws a Failure (78): with the three nearest models where nothing fits, with the
 * candidates where several do.
 */
export function resolveModel(name: string, names: Names = {}): Choice {
  const choices = resolveAll(name, names);
  const { hasKey } = names;
  const keyed = hasKey && choices.length > 1 ? choices.find(({ provider }) => hasKey(provider)) : undefined;
  return keyed ?? (choices[0] as Choice);
}

/** All the models that a name stands for, in order of preference. */
export function resolveAll(name: string, names: Names = {}): Choice[] {
  return expand(name, names, []);
}

function expand(name: string, names: Names, within: readonly string[]): Choice[] {
  if (within.includes(name))
    throw new Failure(
      EXIT.config,
      `the alias ${JSON.stringify(name)} stands for itself: ${[...within, name].join(' → ')}`,
    );
  const inner = (target: string, why: string) =>
    expand(target, names, [...within, name]).map((choice) => ({ ...choice, reason: joined(why, choice) }));
  const own = names.aliases?.get(name);
  if (own) return own.flatMap((target) => inner(target, `the alias ${name} stands for ${target}`));
  const chain = Object.hasOwn(CHAINS, name) && name !== '' ? fromChain(name, names.env ?? {}) : undefined;
  if (chain && chain.value !== name) return inner(chain.value, `${chain.variable} says ${chain.value} for ${name}`);
  const listed = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
  if (listed) return listed.flatMap((target) => inner(target, `${name} stands for ${target}`));
  return [one(name, names)];
}

/** That the provider of PROVIDER/MODEL is named goes without saying where an alias names it. */
const joined = (why: string, { reason, provider }: Choice): string =>
  reason === `the provider is named: ${provider.name}` ? why : `${why}; ${reason}`;

/** What the environment says that a name stands for; `''` is the model where none is named. */
export function fromChain(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly variable: string; readonly value: string } | undefined {
  const variable = CHAINS[name]?.find((candidate) => env[candidate]);
  return variable === undefined ? undefined : { variable, value: String(env[variable]) };
}

function one(name: string, names: Names): Choice {
  const catalogue = names.catalogue ?? builtIn();
  if (name.trim() === '') throw new Failure(EXIT.config, 'the name of the model is empty');
  if (name.length > LONGEST || /[\0-\x1f\x7f]/.test(name))
    throw new Failure(
      EXIT.config,
      `cannot find the model ${JSON.stringify(name.slice(0, 40))}: no model has such a name`,
    );
  if (isAddress(name)) {
    const { provider, model, url } = readAddress(name, catalogue);
    const reason = url === undefined ? `the address is that of ${provider.name}` : 'the address is named';
    return { ...choose(provider, model, reason, catalogue), ...(url !== undefined && { url }) };
  }
  const prefixed = split(name, catalogue);
  if (prefixed) return ofProvider(prefixed.provider, prefixed.id, catalogue);
  return listed(name, names, catalogue) ?? native(name, catalogue) ?? fitting(name, names, catalogue);
}

/** The id that a vendor's family without a version means: the one called latest, else the one of its present line-up. */
function ofFamily(name: string, { name: vendor }: Provider, catalogue: Catalogue): string | undefined {
  if (family(name) !== canonical(name)) return undefined;
  const models = [...catalogue.models(vendor).values()];
  const latest = models.find(({ id }) => id.toLowerCase() === `${name.toLowerCase()}-latest`);
  const present = models.filter((model) => model.current && family(model.id) === family(name));
  return latest?.id ?? (present.length === 1 ? present[0]?.id : undefined);
}

/** No name or address of a model is longer. */
const LONGEST = 500;

/** PROVIDER/MODEL, PROVIDER@MODEL, PROVIDER:MODEL; the first separator after a provider's name counts. */
function split(name: string, catalogue: Catalogue): { provider: Provider; id: string } | undefined {
  for (const separator of ['/', '@', ':']) {
    const at = name.indexOf(separator);
    const provider = at > 0 ? catalogue.provider(name.slice(0, at)) : undefined;
    if (provider && at + 1 < name.length) return { provider, id: name.slice(at + 1) };
  }
  return undefined;
}

/** Kinds of providers whose ids are theirs to give: at others, users name deployments and files as they like. */
const SLIPS: ReadonlySet<Provider['kind']> = new Set(['vendor', 'gateway']);

function ofProvider(provider: Provider, id: string, catalogue: Catalogue): Choice {
  const named = `the provider is named: ${provider.name}`;
  if (catalogue.model(id, provider.name)) return choose(provider, id, named, catalogue);
  const same = [...catalogue.models(provider.name).keys()]
    .filter((other) => canonical(other) === canonical(id))
    .sort((a, b) => a.length - b.length)[0];
  if (same !== undefined) return choose(provider, same, `${named}, which calls it ${same}`, catalogue);
  const known = catalogue.models(provider.name).size > 0;
  const newest = ofFamily(id, provider, catalogue);
  if (newest !== undefined) return choose(provider, newest, `${named}, whose present ${id} is ${newest}`, catalogue);
  if (SLIPS.has(provider.kind) && isSlip(id, [...catalogue.models(provider.name).keys()]))
    throw unknown(`${provider.name}/${id}`, 'a models.json can add it', catalogue, provider.name);
  return choose(provider, id, known ? `${named}; it is not known to list ${id}` : named, catalogue);
}

/** A name that providers list as it is, dated or not. Its maker goes first; among others, the one whose key is at hand. */
function listed(name: string, { hasKey }: Names, catalogue: Catalogue): Choice | undefined {
  const exact = catalogue.listing(name);
  const providers = exact.length > 0 ? exact : catalogue.listing(undated(name));
  const at = providers.map((provider) => ({ provider, id: name }));
  if (at.length === 0) return undefined;
  return makersOwn(name, providers, hasKey, catalogue) ?? among(at, name, hasKey, catalogue);
}

/** What a maker calls the model that only others list by this name (`claude-sonnet-4.6`), unless a key for one of those is at hand. */
function makersOwn(
  name: string,
  listing: readonly string[],
  hasKey: Names['hasKey'],
  catalogue: Catalogue,
): Choice | undefined {
  const maker = [...catalogue.providers.values()].find((one) => one.kind === 'vendor' && owns(one, name));
  if (maker === undefined || listing.includes(maker.name)) return undefined;
  const keyed = (one: string) => hasKey?.(catalogue.providers.get(one) ?? maker) ?? false;
  if (!keyed(maker.name) && listing.some(keyed)) return undefined;
  const id = [...catalogue.models(maker.name).keys()].find((other) => canonical(other) === canonical(name));
  return id === undefined ? undefined : choose(maker, id, `${maker.name} makes it, and calls it ${id}`, catalogue);
}

function among(at: readonly Listed[], name: string, hasKey: Names['hasKey'], catalogue: Catalogue): Choice {
  const all = at.flatMap(({ provider, id }) => {
    const found = catalogue.providers.get(provider);
    return found ? [{ provider: found, id }] : [];
  });
  const vendors = all.filter(({ provider }) => provider.kind === 'vendor');
  const maker = vendors.find(({ provider }) => owns(provider, name)) ?? (vendors.length === 1 ? vendors[0] : undefined);
  const keyed = hasKey ? all.filter(({ provider }) => hasKey(provider)) : [];
  const chosen = maker ?? (keyed.length === 1 ? keyed[0] : all.length === 1 ? all[0] : undefined);
  if (chosen === undefined) throw ambiguous(name, keyed.length > 0 ? keyed : all);
  const { provider, id } = chosen;
  const why = chosen === maker ? 'is listed as the provider of' : 'is the one that is known to serve';
  return choose(provider, id, `${provider.name} ${why} ${id}`, catalogue);
}

const owns = (provider: Provider, id: string): boolean =>
  provider.names?.some((start) => id.toLowerCase().startsWith(start)) ?? false;

/** A name that begins as a vendor's do. One that is a slip of the pen is none, nor one without a version that nobody knows. */
function native(name: string, catalogue: Catalogue): Choice | undefined {
  if (/\s/.test(name)) return undefined;
  const provider = [...catalogue.providers.values()].find((candidate) => owns(candidate, name));
  if (provider === undefined) return undefined;
  const newest = ofFamily(name, provider, catalogue);
  if (newest !== undefined)
    return choose(provider, newest, `${newest} is ${provider.name}'s present ${name}`, catalogue);
  const models = [...catalogue.models(provider.name).keys()];
  if (
    models.some((id) => canonical(id) === canonical(name)) ||
    isSlip(
      name,
      models.filter((id) => beginsLike(id, name)),
    )
  )
    return undefined;
  if (!/\d/.test(name) && !isVersion(name, models) && (models.length > 0 || provider.names?.includes(name)))
    return undefined;
  return choose(provider, name, `names that begin so are ${provider.name}'s, though ${name} is not listed`, catalogue);
}

/** Whether the first steps are the same but for the version: `gpt` of `gpt-5`, `o` of `o3-mini`. */
const beginsLike = (id: string, name: string): boolean => begin(id) === begin(name);

const begin = (id: string): string => canonical(id).match(/^[a-z]*/)?.[0] ?? '';

/** Words that only one model's name holds. */
function fitting(name: string, { hasKey }: Names, catalogue: Catalogue): Choice {
  const found = search(name, catalogue);
  const [first] = found;
  if (first !== undefined && found.length === 1) {
    const choice = among(shortest(first.at), first.name, hasKey, catalogue);
    return { ...choice, reason: `only ${choice.model} fits ${JSON.stringify(name)}; ${choice.reason}` };
  }
  if (found.length > 1)
    throw ambiguousAmong(
      name,
      found.flatMap(({ at: [one] }) => one ?? []),
    );
  const provider = catalogue.provider(name);
  if (provider === undefined) throw unknown(name, 'or write PROVIDER/MODEL', catalogue);
  const some = catalogue
    .current(provider)
    .slice(0, 3)
    .map(({ id }) => `${provider.name}/${id}`);
  throw new Failure(EXIT.config, `${name} is a provider, and no model`, {
    hint: `write ${some.length > 0 ? some.join(' or ') : `${provider.name}/MODEL`}`,
  });
}

const unknown = (name: string, how: string, catalogue: Catalogue, provider?: string): Failure =>
  new Failure(EXIT.config, `cannot find the model ${JSON.stringify(name.slice(0, 80))}`, {
    hint: `did you mean ${nearestModels(name, catalogue, 3, provider).join(', ')}? ${how}`,
  });

/** One for each provider: that with the shortest id, which is the undated one. */
function shortest(at: readonly Listed[]): Listed[] {
  return at.filter(({ provider }, i) => at.findIndex((other) => other.provider === provider) === i);
}

/** Told of an ambiguous name: at most this many candidates. */
const TOLD = 8;

const ambiguous = (name: string, at: readonly { readonly provider: Provider; readonly id: string }[]): Failure =>
  ambiguousAmong(
    name,
    at.map(({ provider, id }) => ({ provider: provider.name, id })),
  );

function ambiguousAmong(name: string, at: readonly Listed[]): Failure {
  const told = at.slice(0, TOLD).map(({ provider, id }) => `${provider}/${id}`);
  const more = at.length > TOLD ? ` and ${at.length - TOLD} more` : '';
  return new Failure(
    EXIT.config,
    `cannot tell which model ${JSON.stringify(name)} is: it fits ${told.join(', ')}${more}`,
    { hint: 'write one of them' },
  );
}

const choose = (provider: Provider, model: string, reason: string, catalogue: Catalogue): Choice => ({
  provider,
  model,
  facts: catalogue.model(model, provider.name),
  reason,
});
