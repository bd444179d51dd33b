// From what a user calls a model to the provider that serves it.
import { EXIT, Failure } from '../failure/failure.ts';
import { isAddress, readAddress } from './address.ts';
import { ALIASES, CHAINS } from './aliases.ts';
import { bareName } from './bare.ts';
import { canonical } from './canonical.ts';
import { catalogue as builtIn, type Catalogue } from './catalogue.ts';
import { type Choice, choose, type Names, ofFamily, unknown } from './choice.ts';
import { resourceOf } from './resource.ts';
import { isSlip } from './search.ts';
import type { Provider } from './types.ts';
import { splitVariant, variantOf } from './variant.ts';

export type { Choice, Names } from './choice.ts';

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
      `the alias ${JSON.stringify(name)} refers to itself: ${[...within, name].join(' → ')}`,
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
      `cannot find the model ${JSON.stringify(name.slice(0, 40))}: no model has this name`,
    );
  if (isAddress(name)) {
    const { provider, model, url } = readAddress(name, catalogue);
    const reason = url === undefined ? `the URL is that of ${provider.name}` : 'the URL is named';
    return { ...choose(provider, model, reason, catalogue), addressed: true, ...(url !== undefined && { url }) };
  }
  const cloud = ofCloud(name, catalogue);
  if (cloud) return cloud;
  const prefixed = split(name, catalogue);
  if (prefixed && !isForeign(prefixed, name, catalogue)) return ofProvider(prefixed.provider, prefixed.id, catalogue);
  return ofGateway(name, catalogue) ?? tagged(name, names, catalogue) ?? bareName(name, names, catalogue);
}

/** No name or address of a model is longer. */
const LONGEST = 500;

interface Prefixed {
  readonly provider: Provider;
  readonly id: string;
  readonly separator: string;
}

/** PROVIDER/MODEL, PROVIDER@MODEL, PROVIDER:MODEL; the first separator after a provider's name counts. */
function split(name: string, catalogue: Catalogue): Prefixed | undefined {
  for (const separator of ['/', '@', ':']) {
    const at = name.indexOf(separator);
    const provider = at > 0 ? catalogue.provider(name.slice(0, at)) : undefined;
    if (provider && at + 1 < name.length) return { provider, id: name.slice(at + 1), separator };
  }
  return undefined;
}

/** Tags as Ollama's library has them: sizes, quantisations, `latest`. */
const TAG =
  /^(?:latest|cloud|mini|medium|small|large|e?(?:\d+x)?\d+(?:\.\d+)?[bmtk]\b.*|.*\bi?q\d(?:_\w+)?|fp16|bf16)$/i;

/**
 * Whether what looks like PROVIDER/MODEL is another's name that begins with that of the maker: OpenRouter's `deepseek/deepseek-r1:free`,
 * `openai/gpt-oss-20b`, which OpenAI does not serve, Ollama's `mistral:7b`.
 */
function isForeign({ provider, id, separator }: Prefixed, name: string, catalogue: Catalogue): boolean {
  if (catalogue.model(id, provider.name)) return false;
  if (separator === ':') return provider.kind !== 'local' && provider.name !== 'ollama-cloud' && TAG.test(id);
  if (provider.kind === 'gateway' || provider.kind === 'local' || separator !== '/') return false;
  if (provider.unserved?.some((start) => id.toLowerCase().startsWith(start))) return true;
  if (ROUTED.test(name)) return true;
  const maker = name.slice(0, name.indexOf('/') + 1);
  return splitVariant(id).variant.startsWith(':') && idsOf(OPENROUTER, catalogue).some((one) => one.startsWith(maker));
}

const OPENROUTER = 'openrouter';

const idsOf = (provider: string, catalogue: Catalogue): string[] => [...catalogue.models(provider).keys()];

/** A name that only one cloud gives. Throws a Failure (78) for an ARN of something else. */
function ofCloud(name: string, catalogue: Catalogue): Choice | undefined {
  const resource = resourceOf(name);
  const provider = resource && catalogue.provider(resource.provider);
  if (provider)
    return {
      ...choose(provider, name, `${provider.name} names its models this way`, catalogue),
      ...known(provider, name, catalogue),
    };
  if (!/^arn:/i.test(name)) return undefined;
  throw new Failure(
    EXIT.config,
    `cannot use the ARN ${JSON.stringify(name.slice(0, 80))}: it is not the ARN of a Bedrock model`,
    {
      hint: 'write arn:aws:bedrock:REGION:ACCOUNT:inference-profile/ID, or the ARN of another Bedrock model resource',
    },
  );
}

/** What the catalogue says of a resource. Other regions than those listed may have other prices. */
function known(provider: Provider, name: string, catalogue: Catalogue): Pick<Choice, 'facts'> {
  const id = resourceOf(name)?.id;
  if (id === undefined) return {};
  const exact = catalogue.model(id, provider.name);
  if (exact) return { facts: exact };
  const same = [...catalogue.models(provider.name).values()].find((model) => canonical(model.id) === canonical(id));
  if (same === undefined) return {};
  const { price: _, disputed: _disputed, ...facts } = same;
  return { facts: { ...facts, id } };
}

/** A variant without a provider: OpenRouter's, which has most of them. Its ids begin with the maker's name. */
function ofGateway(name: string, catalogue: Catalogue): Choice | undefined {
  const { base, variant } = splitVariant(name);
  const provider = catalogue.provider(OPENROUTER);
  if (!variant.startsWith(':') || base === '' || provider === undefined) return undefined;
  const full = base.includes('/') ? [base] : idsOf(OPENROUTER, catalogue).filter((id) => id.split('/')[1] === base);
  if (full.length !== 1) throw unknown(name, `or write ${OPENROUTER}/MAKER/MODEL${variant}`, catalogue, OPENROUTER);
  const choice = ofProvider(provider, `${full[0]}${variant}`, catalogue);
  return { ...choice, reason: `variants such as ${variant} are ${OPENROUTER}'s` };
}

/** What Hugging Face's router takes behind a model's name: the name of a provider, or how to find one. */
const ROUTED =
  /^[\w.-]+\/[\w.-]+:(?:auto|fastest|cheapest|preferred|hf-inference|together|groq|cerebras|novita|nebius|sambanova|hyperbolic|fireworks-ai|featherless-ai|replicate|cohere|nscale|scaleway|ovhcloud|baseten|deepinfra|publicai|zai-org|fal-ai)$/;

/** A `name:tag`. It is Ollama's, and a server of this machine must have it; Hugging Face's behind an organisation; a tuned model's is its maker's. */
function tagged(name: string, names: Names, catalogue: Catalogue): Choice | undefined {
  if (!/^[^\s:]+:[^\s:]+$/.test(name) || name.startsWith('ft:')) return undefined;
  if (catalogue.listing(name).length > 0) return bareName(name, names, catalogue);
  const router = ROUTED.test(name) ? catalogue.provider('huggingface') : undefined;
  if (router) return choose(router, name, `${router.name} names its models this way`, catalogue);
  const ollama = catalogue.provider('ollama');
  return ollama && { ...choose(ollama, name, 'NAME:TAG is a model of Ollama', catalogue), tag: true };
}

/** Kinds of providers whose ids are theirs to give: at others, users name deployments and files as they like. */
const SLIPS: ReadonlySet<Provider['kind']> = new Set(['vendor', 'gateway']);

function ofProvider(provider: Provider, id: string, catalogue: Catalogue): Choice {
  const named = `the provider is named: ${provider.name}`;
  if (catalogue.model(id, provider.name)) return choose(provider, id, named, catalogue);
  if (resourceOf(id)?.provider === provider.name)
    return { ...choose(provider, id, named, catalogue), ...known(provider, id, catalogue) };
  const { base, variant } = splitVariant(id);
  if (variant !== '') return varied(provider, base, variant, catalogue);
  const models = idsOf(provider.name, catalogue);
  const same = models
    .filter((other) => splitVariant(other).variant === '' && canonical(other) === canonical(id))
    .sort((a, b) => a.length - b.length)[0];
  if (same !== undefined) return choose(provider, same, `${named}, which calls it ${same}`, catalogue);
  const newest = ofFamily(id, provider, catalogue);
  if (newest !== undefined) return choose(provider, newest, `${named}, whose present ${id} is ${newest}`, catalogue);
  if (SLIPS.has(provider.kind) && isSlip(id, models))
    throw unknown(`${provider.name}/${id}`, 'a models.json can add it', catalogue, provider.name);
  return choose(
    provider,
    id,
    models.length > 0 ? `${named}; its catalogue entry does not list ${id}` : named,
    catalogue,
  );
}

/** A variant that is not listed: the provider's id of the model, and the variant as it was written. */
function varied(provider: Provider, base: string, variant: string, catalogue: Catalogue): Choice {
  if (base === '') return choose(provider, variant, `the provider is named: ${provider.name}`, catalogue);
  const { facts: plain, ...choice } = ofProvider(provider, base, catalogue);
  const model = `${choice.model}${variant}`;
  const facts = catalogue.model(model, provider.name) ?? (plain && variantOf(plain, model, variant));
  return { ...choice, model, ...(facts && { facts }) };
}
