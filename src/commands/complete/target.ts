// Where a request goes: provider, model, address and key.
import type { Context } from '../../lib/cli/filter.ts';
import { type Conversation, headOf } from '../../lib/formats/conversation.ts';
import { formatNamed } from '../../lib/formats/table.ts';
import type { Format } from '../../lib/formats/types.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import { isObject, type JsonObject } from '../../lib/ir/json.ts';
import { serverAt } from '../../lib/models/address.ts';
import { catalogue, providerNamed } from '../../lib/models/catalogue.ts';
import { endpointOf } from '../../lib/models/endpoint.ts';
import { resolveModel } from '../../lib/models/resolve.ts';
import type { Provider } from '../../lib/models/types.ts';
import { APIS, type WireApi } from '../../lib/providers/table.ts';

export interface Target {
  readonly provider: string;
  readonly model: string;
  readonly format: Format;
  readonly api: WireApi;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** From the options, else from the head and the route that ai-route wrote there. */
export function findTarget(
  conversation: Conversation,
  model: string | undefined,
  baseUrl: string | undefined,
  context: Context,
): Target {
  const { provider, id } = model === undefined ? fromHead(conversation) : fromName(model);
  const spoken = (name: string) => APIS[name] !== undefined && formatNamed(name) !== undefined;
  const endpoint = endpointOf(provider, context.env, spoken);
  const api = APIS[endpoint.api] as WireApi;
  const format = formatNamed(endpoint.api) as Format;
  const key = baseUrl === undefined ? keyOf(provider, context) : undefined;
  const url = `${(baseUrl ?? endpoint.url).replace(/\/+$/, '')}${api.path}`;
  return {
    provider: provider.name,
    model: id,
    format,
    api,
    url: checkUrl(url),
    headers: api.headers(key ?? ownKey(baseUrl, context)),
  };
}

function fromHead(conversation: Conversation): { provider: Provider; id: string } {
  const { model } = headOf(conversation).head;
  if (model === undefined)
    throw new Failure(EXIT.config, 'no model is named', { hint: 'use -m PROVIDER/MODEL, or ai-route before' });
  const value = conversation.head?.rec.value;
  const meta = isObject(value) && isObject(value._meta) ? value._meta : {};
  const routed = isObject(meta.route) ? routedTo(meta.route) : undefined;
  return routed ? { provider: routed, id: model } : fromName(model);
}

/** The provider that ai-route chose: an address of its own, else one that is known by name. */
function routedTo({ provider, url }: JsonObject): Provider | undefined {
  if (typeof url === 'string') return serverAt(checkUrl(url), catalogue());
  return typeof provider === 'string' ? providerNamed(provider) : undefined;
}

function fromName(name: string): { provider: Provider; id: string } {
  const { provider, model } = resolveModel(name);
  return { provider, id: model };
}

/** The first of the provider's key variables that is set. */
function keyOf(provider: Provider, { env }: Context): string | undefined {
  const set = provider.keys.find((name) => env[name]);
  if (set !== undefined || provider.kind === 'local' || provider.keyless)
    return set === undefined ? undefined : env[set];
  const names = provider.keys.join(' or ');
  throw new Failure(EXIT.config, `no key for ${provider.name}`, {
    hint: `set ${names}, or use a local server: -m ollama/MODEL`,
  });
}

/** A provider's key goes to its own host alone; another address has a key of its own, or none. */
function ownKey(baseUrl: string | undefined, { env }: Context): string | undefined {
  return baseUrl === undefined ? undefined : env.AI_API_KEY || undefined;
}

function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new Failure(EXIT.usage, `"${url}" is not an http or https address`);
}
