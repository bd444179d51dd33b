// The credential for a provider, from wherever the user keeps one. Looked for only when the provider has been chosen, and sent to it alone.

import type { Env } from '../config/places.ts';
import type { ConfiguredKey } from '../config/read.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import type { Auth, Login, Provider } from '../models/types.ts';
import type { Credential } from './credential.ts';
import { LOGINS, OAUTH } from './logins.ts';

export interface Keys {
  readonly env: Env;
  /** Milliseconds since 1970: log-ins expire. */
  readonly now: number;
  /** Keys that the user's configuration gives to providers. */
  readonly configured?: ReadonlyMap<string, ConfiguredKey>;
  /** Whether log-ins of other programs may be used. Without it their files are not even looked at. */
  readonly logins?: boolean;
}

/** Variables that many have for other ends: they are used when their provider is named, and never a reason to choose it. */
const AMBIENT = new Set(['GITHUB_TOKEN', 'HF_TOKEN', 'DIGITALOCEAN_ACCESS_TOKEN', 'DATABRICKS_TOKEN']);

/**
 * The credential for requests to `provider` in the dialect `api`: the configured key, else the first variable that is set, else the cloud's
 * own credentials, else another program's log-in, where that is allowed. Undefined for a server of this machine that needs none. Throws a Failure (78) that says what to set; it never holds any part of a
 * secret.
 */
export function credentialFor(provider: Provider, api: string, keys: Keys): Credential | undefined {
  if (provider.keyless) return undefined;
  const found = configured(provider, api, keys) ?? inEnvironment(provider, api, keys) ?? loggedIn(provider, keys);
  if (found || provider.kind === 'local') return found;
  throw new Failure(EXIT.config, `no key for ${provider.name}`, { hint: wanted(provider, keys) });
}

/** Where a credential seems to be at hand: a place in the configuration, a variable, a file. Reads no file and runs no command. */
export function sourceOf(provider: Provider, keys: Omit<Keys, 'now'>): string | undefined {
  if (provider.keyless) return undefined;
  const { env, configured } = keys;
  const variables = [...(provider.tokens ?? []), ...provider.keys];
  const own = configured?.get(provider.name)?.from ?? variables.find((name) => env[name]);
  if (own !== undefined) return own;
  return allowed(provider, keys)
    .map((name) => LOGINS[name].at(env))
    .find((source) => source !== undefined);
}

/** Whether a credential seems to be at hand. Reads no file and runs no command. */
export const isAtHand = (provider: Provider, keys: Omit<Keys, 'now'>): boolean =>
  isReason(provider, keys) || (!provider.keyless && isIn(allowed(provider, keys), keys));

/** Whether it is one that speaks for the provider where nobody names it. A cloud's own credentials do not: many have them for other ends. */
export function isReason(provider: Provider, keys: Omit<Keys, 'now'>): boolean {
  if (provider.keyless) return false;
  if (keys.configured?.has(provider.name)) return true;
  const variables = [...(provider.tokens ?? []), ...provider.keys];
  if (variables.some((name) => keys.env[name] && !AMBIENT.has(name))) return true;
  return isIn(
    allowed(provider, keys).filter((name) => !LOGINS[name].ofCloud),
    keys,
  );
}

const isIn = (logins: readonly Login[], { env }: Pick<Keys, 'env'>): boolean =>
  logins.some((name) => LOGINS[name].at(env) !== undefined);

/** Its log-ins that may be used: a cloud's own way for that cloud, another program's where the user says so. */
const allowed = ({ logins = [] }: Provider, keys: Pick<Keys, 'logins'>) =>
  logins.filter((name) => LOGINS[name].ofCloud || keys.logins);

function configured(provider: Provider, api: string, { configured: all }: Keys): Credential | undefined {
  const key = all?.get(provider.name);
  if (key === undefined) return undefined;
  const value = key.value();
  if (value === '') throw new Failure(EXIT.config, 'cannot use the key: it is empty', { place: key.from });
  return { headers: headersOf(value, provider.auth ?? usual(api), key.from), from: key.from };
}

function inEnvironment(provider: Provider, api: string, { env }: Keys): Credential | undefined {
  const token = provider.tokens?.find((name) => env[name]);
  if (token !== undefined) {
    const beta = /OAUTH/.test(token) && api === 'anthropic' ? OAUTH : {};
    return { headers: { ...headersOf(String(env[token]), 'bearer', token), ...beta }, from: token };
  }
  const key = provider.keys.find((name) => env[name]);
  return key === undefined
    ? undefined
    : { headers: headersOf(String(env[key]), provider.auth ?? usual(api), key), from: key };
}

function loggedIn(provider: Provider, keys: Keys): Credential | undefined {
  for (const name of allowed(provider, keys)) {
    const found = LOGINS[name].read(keys.env, keys.now);
    if (found) return found;
  }
  return undefined;
}

const usual = (api: string): Auth =>
  api === 'anthropic' ? 'x-api-key' : api === 'gemini' ? 'x-goog-api-key' : 'bearer';

/** A key that no header can hold would end the request with an error that quotes it. */
function headersOf(key: string, auth: Auth, from: string): Record<string, string> {
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Failure(EXIT.config, 'cannot use the key: it contains spaces, newlines or other invalid characters', {
      place: from,
    });
  return auth === 'bearer' ? { authorization: `Bearer ${key}` } : { [auth]: key };
}

function wanted({ name, keys, tokens = [], logins = [] }: Provider, { logins: may }: Keys): string {
  const variables = [...keys, ...(keys.length === 0 ? tokens : [])];
  const ways = [
    ...(variables.length > 0 ? [`set ${variables.join(' or ')}`] : []),
    ...logins.map(
      (login) => `${LOGINS[login].how}${LOGINS[login].ofCloud || may ? '' : ' and use --credentials logins'}`,
    ),
    `set providers.${name}.key in the user's configuration`,
    'use a local server: -m ollama/MODEL',
  ];
  return ways.join(', or ');
}
