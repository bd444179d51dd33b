// A model named by its address: http://host:11434/llama3.
import { EXIT, Failure } from '../failure/failure.ts';
import type { Catalogue } from './catalogue.ts';
import type { Provider } from './types.ts';

interface Addressed {
  readonly provider: Provider;
  readonly model: string;
  /** The base URL, if it is not the provider's own. */
  readonly url?: string;
}

const OLLAMA_PORT = '11434';

/** Segments that end a base URL; what follows them is the model's name. */
const VERSION = /^(v\d+(beta\d*)?|openai|anthropic|api)$/;

export const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);

/**
 * The server and the model of an address. One under a provider's own base URL is that provider's; any other is a server that gets no key.
 * Throws a Failure (78) for an address that is no URL, holds a password, or names no model.
 */
export function readAddress(name: string, catalogue: Catalogue): Addressed {
  if (!URL.canParse(name)) throw wrong(name, 'it is not a valid URL');
  const url = new URL(name);
  if (url.username !== '' || url.password !== '')
    throw new Failure(EXIT.config, 'cannot use a URL with a password', {
      hint: 'define a provider with its key in the configuration',
    });
  const path = url.pathname.split('/').filter((step) => step !== '');
  const known = ownerOf(url, catalogue);
  if (known) return { provider: known.provider, model: decoded(path.slice(known.depth), name) };
  const version = path.findLastIndex((step) => VERSION.test(step));
  const model = decoded(path.slice(version + 1), name);
  const base = path.slice(0, version + 1).map((step) => `/${step}`);
  const host = url.protocol === 'https:' && [...catalogue.providers.values()].find((one) => isHostOf(url.host, one));
  if (host)
    return {
      provider: host,
      model: CLOUD_STEP.test(path[version + 1] ?? '') ? decoded(path.slice(version + 2), name) : model,
    };
  const ollama = url.port === OLLAMA_PORT ? catalogue.provider('ollama') : undefined;
  if (ollama && version < 0) {
    if (local(url.origin) === new URL(ollama.url).origin) return { provider: ollama, model };
    return { provider: moved(ollama, url.origin), model, url: url.origin };
  }
  return at(`${url.origin}${base.length > 0 ? base.join('') : '/v1'}`, model);
}

/** The server behind an address that ai-route wrote into `_meta.route`. */
export function serverAt(url: string, catalogue: Catalogue): Provider {
  const ollama = URL.canParse(url) && new URL(url).port === OLLAMA_PORT ? catalogue.provider('ollama') : undefined;
  return ollama && new URL(url).pathname === '/' ? moved(ollama, new URL(url).origin) : at(url, '').provider;
}

function at(url: string, model: string): Addressed & { readonly url: string } {
  const name = new URL(url).host;
  const provider = { name, kind: 'local', api: 'openai', url, apis: { openai: url }, keys: [], keyless: true } as const;
  return { provider, model, url };
}

/** A provider of this machine at another host: the same paths, and no key. */
function moved({ url_from, ...provider }: Provider, origin: string): Provider {
  const apis = Object.fromEntries(
    Object.entries(provider.apis).map(([api, base]) => [api, `${origin}${new URL(base).pathname.replace(/\/+$/, '')}`]),
  );
  return { ...provider, apis, url: apis[provider.api] ?? origin, keys: [], keyless: true };
}

/** The provider under whose base URL the address lies, and how many segments of the path are the base's. */
function ownerOf(url: URL, catalogue: Catalogue): { provider: Provider; depth: number } | undefined {
  let best: { provider: Provider; depth: number } | undefined;
  for (const provider of catalogue.providers.values())
    for (const base of Object.values(provider.apis)) {
      if (base.includes('{') || !URL.canParse(base)) continue;
      const { pathname, origin } = new URL(base);
      if (local(origin) !== local(url.origin)) continue;
      const steps = pathname.split('/').filter((step) => step !== '');
      const given = url.pathname.split('/').filter((step) => step !== '');
      if (given.length <= steps.length || steps.some((step, i) => step !== given[i])) continue;
      if (best === undefined || steps.length > best.depth) best = { provider, depth: steps.length };
    }
  return best;
}

/** Whether a host (with its port, if it has one) is a provider's own. */
function isHostOf(host: string, { apis, hosts }: Provider): boolean {
  if (hosts?.includes(host)) return true;
  return Object.values(apis).some((base) => {
    const [, own = ''] = /^https?:\/\/([^/]+)/.exec(base) ?? [];
    if (!own.includes('{')) return own === host;
    const [before = '', after = ''] = [own.slice(0, own.indexOf('{')), own.slice(own.lastIndexOf('}') + 1)];
    const middle = host.slice(before.length, host.length - after.length);
    return host.startsWith(before) && host.endsWith(after) && before + after !== '' && /^[\w.-]+$/.test(middle);
  });
}

/** Paths of requests: an address that was copied whole may have one before the model's name. */
const ENDPOINTS = [['chat', 'completions'], ['messages'], ['responses']];

/** Steps in front of the model's name at Azure and Bedrock. */
const CLOUD_STEP = /^(?:deployments|model)$/;

const local = (origin: string): string => origin.replace(/\/\/(localhost|\[::1\])(?=:|$)/, '//127.0.0.1');

function decoded(path: readonly string[], name: string): string {
  const endpoint = ENDPOINTS.find((steps) => steps.every((step, i) => step === path[i]));
  const own = path.slice(endpoint?.length ?? 0);
  if (own.length === 0) throw wrong(name, 'it has no model name');
  try {
    return own.map(decodeURIComponent).join('/');
  } catch {
    throw wrong(name, 'it is not a valid URL');
  }
}

const wrong = (name: string, why: string): Failure =>
  new Failure(EXIT.config, `cannot use the URL "${name}": ${why}`, { hint: 'write http://HOST:PORT/MODEL' });
