// Where a request goes: provider, model, address and key.

import type { Context } from '../../../lib/cli/filter.ts';
import { isFamily } from '../../../lib/conversation/model-name.ts';
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { awsRegion } from '../../../lib/credentials/aws.ts';
import type { Credential } from '../../../lib/credentials/credential.ts';
import { credentialFor, isAtHand, type Keys } from '../../../lib/credentials/find.ts';
import { googleProject } from '../../../lib/credentials/google.ts';
import type { Endpoint } from '../../../lib/dialects/endpoint.ts';
import { formatNamed } from '../../../lib/dialects/table.ts';
import type { Format } from '../../../lib/dialects/types.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import { isAddress, serverAt } from '../../../lib/models/address.ts';
import type { Catalogue } from '../../../lib/models/catalogue.ts';
import { priceAt } from '../../../lib/models/cost.ts';
import { endpointOf } from '../../../lib/models/endpoint.ts';
import { type Choice, type Names, resolveModel } from '../../../lib/models/resolve.ts';
import { resourceOf } from '../../../lib/models/resource.ts';
import type { Settings } from '../../../lib/models/settings.ts';
import type { Model, Price, Provider } from '../../../lib/models/types.ts';
import type { CompleteOptions } from '../options.ts';

/** A model as it was named, and the base URL of the server that ai-route chose for it. */
export interface ModelName {
  readonly name: string;
  readonly at?: string;
}

export interface Target {
  readonly provider: Provider;
  readonly model: string;
  /** What is known of the model. */
  readonly facts: Model | undefined;
  /** Undefined where it is not known. */
  readonly price: Price | undefined;
  readonly format: Format;
  readonly endpoint: Endpoint;
  /** The base URL, without a slash at its end. */
  readonly base: string;
  /** The name under which processes share limits: `provider/model`, or `host/model` at an address of its own. */
  readonly name: string;
  /** The credential for this host. Throws a Failure (78) where one is needed and missing. */
  readonly credential: () => Credential | undefined;
}

interface TargetSettings {
  readonly options: Pick<CompleteOptions, 'base-url'>;
  readonly settings: Settings;
  readonly context: Pick<Context, 'env' | 'now'>;
}

/** The target that a name stands for. Throws a Failure (78) for an unknown model, and where a variable of its URL is not set. */
export function resolveTarget(
  named: ModelName,
  conversation: Pick<Conversation, 'format' | 'decided'>,
  { options, settings, context }: TargetSettings,
): Target {
  const { 'base-url': given } = options;
  const {
    provider,
    model: whole,
    facts,
    url,
    addressed,
  } = chooseModel(named, namesIn(settings, context.env), settings.catalogue, given);
  const model = resourceOf(whole)?.sent ?? whole;
  // A model that is named by its address is there, but one that ai-route chose may be sent elsewhere.
  const baseUrl = url === undefined || named.at !== undefined ? given : undefined;
  const env = addPlace(provider, whole, context.env);
  const prefer = preferredApi(provider, model, facts, conversation);
  const base = baseUrl ?? url;
  const { api: apiName, url: own } = endpointFor(provider, prefer, env, base);
  const format = formatNamed(apiName) as Format;
  const endpoint = format.endpoint as Endpoint;
  const checked = checkUrl((base ?? own).replace(/\/+$/, ''));
  const keys: Keys = { ...keysOf(settings, context.env), now: context.now() };
  return {
    provider,
    model,
    facts,
    price: priceAt({ provider, model, facts, addressed: addressed === true || baseUrl !== undefined }, checked),
    format,
    endpoint: endpoint.at?.[provider.name] ?? endpoint,
    base: checked,
    name: `${baseUrl === undefined ? provider.name : new URL(checked).host}/${model}`,
    credential: once(() =>
      baseUrl === undefined ? credentialFor(provider, apiName, keys) : ownKey(apiName, context.env),
    ),
  };
}

/** A key may come from a command. */
function once<T>(make: () => T): () => T {
  let held: { readonly value: T } | undefined;
  return () => {
    held ??= { value: make() };
    return held.value;
  };
}

export const namesIn = (settings: Settings, env: Context['env']): Names => ({
  catalogue: settings.catalogue,
  aliases: settings.aliases,
  env,
  hasKey: (provider) => isAtHand(provider, keysOf(settings, env)),
});

/** Where credentials may come from. */
export const keysOf = ({ keys, config }: Settings, env: Context['env']): Omit<Keys, 'now'> => ({
  env,
  configured: keys,
  logins: config.credentials === 'logins',
});

/** The region and project that the model's name holds; else those of the environment; else of the user's profile at AWS or credentials at Google. */
function addPlace({ logins }: Provider, model: string, env: Context['env']): Context['env'] {
  const region = logins?.includes('aws') ? awsRegion(env) : undefined;
  const project = logins?.includes('google') ? googleProject(env) : undefined;
  return {
    ...env,
    ...(region !== undefined && { AWS_REGION: region }),
    ...(project && { GOOGLE_CLOUD_PROJECT: project }),
    ...resourceOf(model)?.env,
  };
}

function chooseModel({ name, at }: ModelName, names: Names, catalogue: Catalogue, baseUrl: string | undefined): Choice {
  if (at !== undefined) return { provider: serverAt(checkUrl(at), catalogue), model: name, reason: '' };
  return baseUrl === undefined ? resolveModel(name, names) : chooseModelAt(baseUrl, name, names, catalogue);
}

/** A server of one's own may have models that nobody has heard of. */
function chooseModelAt(url: string, name: string, names: Names, catalogue: Catalogue): Choice {
  try {
    return resolveModel(name, names);
  } catch (error) {
    if (!(error instanceof Failure) || name.trim() === '' || isAddress(name)) throw error;
    return { provider: serverAt(checkUrl(url), catalogue), model: name, reason: '' };
  }
}

const isSupported = (api: string): boolean => formatNamed(api)?.endpoint !== undefined;

/** The dialect to speak: the model's own, and of two spellings of one API the conversation's. */
function preferredApi(
  { apis, name }: Provider,
  model: string,
  facts: Model | undefined,
  { decided, format }: Pick<Conversation, 'format' | 'decided'>,
): string | undefined {
  if (name === 'google-vertex' && isFamily(model, 'claude')) return 'anthropic';
  if (facts?.api !== undefined && apis[facts.api] !== undefined && isSupported(facts.api)) return facts.api;
  return decided && format.name === 'openai-responses' && apis[format.name] !== undefined ? format.name : undefined;
}

function endpointFor(provider: Provider, prefer: string | undefined, env: Context['env'], base: string | undefined) {
  const spoken = prefer === undefined ? isSupported : (api: string) => api === prefer;
  if (base === undefined) return endpointOf(provider, env, spoken);
  const api = Object.keys(provider.apis).find(spoken);
  if (api !== undefined) return { api, url: base };
  throw new Failure(EXIT.config, `unsupported API of ${provider.name} (${Object.keys(provider.apis).join(', ')})`);
}

/** A provider's key goes to its own host alone; another address has a key of its own, or none. */
function ownKey(api: string, { AI_API_KEY: key }: Context['env']): Credential | undefined {
  if (!key) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Failure(EXIT.config, 'cannot use the key: it contains invalid characters', { place: 'AI_API_KEY' });
  const name = api === 'anthropic' ? 'x-api-key' : api === 'gemini' ? 'x-goog-api-key' : 'authorization';
  return { headers: { [name]: name === 'authorization' ? `Bearer ${key}` : key }, from: 'AI_API_KEY' };
}

function checkUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Failure(EXIT.usage, `"${url}" is not an http or https URL`);
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new Failure(EXIT.usage, 'cannot use a URL with a password', { hint: 'set AI_API_KEY' });
  return url;
}
