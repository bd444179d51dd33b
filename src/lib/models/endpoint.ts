// Where a provider's requests go, once the environment has been asked.
import { EXIT, Failure } from '../failure/failure.ts';
import type { Provider } from './types.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Endpoint {
  readonly api: string;
  /** The base URL, without a slash at its end. */
  readonly url: string;
  /** The variable that named it, if one did. */
  readonly from?: string;
}

/**
 * The address for the first of `spoken` dialects that the provider has; in its own order without it. `{A|B:-default}` in a URL takes the first
 * variable that is set. Throws a Failure (78) where a variable is missing or holds what no URL can, and where no dialect fits.
 */
export function endpointOf(provider: Provider, env: Env, spoken?: (api: string) => boolean): Endpoint {
  const [api, template] = Object.entries(provider.apis).find(([name]) => spoken?.(name) ?? true) ?? [];
  if (api === undefined || template === undefined)
    throw new Failure(EXIT.config, `unsupported API of ${provider.name} (${Object.keys(provider.apis).join(', ')})`);
  const from = provider.url_from?.find((name) => env[name]);
  if (from === undefined) return { api, url: fill(template, provider, env) };
  return { api, url: rebase(fill(template, provider, env, 'x'), String(env[from]), from), from };
}

const VARIABLE = /\{([A-Z0-9_|]+)(?::-([^}]*))?\}/g;

/** `missing` stands for variables that are not set, where they do not matter. */
function fill(template: string, provider: Provider, env: Env, missing?: string): string {
  const filled = template.replace(VARIABLE, (_, names: string, otherwise: string | undefined) => {
    const wanted = names.split('|');
    const name = wanted.find((candidate) => env[candidate]);
    const value =
      name === undefined ? (otherwise ?? missing) : env[name]?.replace(/^https?:\/\//, '').replace(/\/+$/, '');
    if (value === undefined)
      throw new Failure(EXIT.config, `cannot build the URL of ${provider.name}: ${wanted.join(' or ')} is not set`);
    if (!/^[\w.-]+$/.test(value))
      throw new Failure(
        EXIT.config,
        `cannot build the URL of ${provider.name}: ${name} is not the name of a host, region or project`,
      );
    return value;
  });
  // https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations
  return filled.replace('//global-aiplatform.', '//aiplatform.');
}

/** The address that a variable names: with a path it is the base; without one it takes the place of the host (`host` alone keeps the port). */
function rebase(template: string, given: string, from: string): string {
  const whole = /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(whole) || !/^https?:$/.test(new URL(whole).protocol))
    throw new Failure(EXIT.config, `${from} is not an http or https URL`);
  const base = new URL(template);
  const url = new URL(whole);
  if (whole !== given && url.port === '') url.port = base.port;
  if (url.pathname !== '/') return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return `${url.origin}${base.pathname.replace(/\/+$/, '')}`;
}
