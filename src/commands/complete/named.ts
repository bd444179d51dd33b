// Which models are asked: what the command line names, else what the conversation does. A record may name models, and no addresses.
import { type Conversation, headOf } from '../../lib/conversion/gather.ts';
import { placeOf } from '../../lib/failure/failure.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { isAddress } from '../../lib/models/address.ts';
import { addressesIn, ForeignAddress } from '../../lib/models/routed.ts';
import { isSealed } from '../../lib/state/seal.ts';
import type { Session } from './session.ts';

/** A model as it was named, and the base URL of the server that ai-route chose for it. */
export interface Named {
  readonly name: string;
  readonly at?: string;
}

type Naming = Pick<Session, 'options' | 'env' | 'settings'>;

/**
 * The models to ask, the first first: from the option, else from the head and the route in it; then the fallbacks. Throws a ForeignAddress for
 * an address in a record that nobody has sealed, and that is not the configured model's.
 */
export function namesOf(
  conversation: Conversation,
  session: Naming,
): { readonly first: Named | undefined; readonly fallbacks: readonly Named[] } {
  const { options, env } = session;
  const given = options.fallback.map((name) => ({ name }));
  if (options.model !== undefined) return { first: { name: options.model }, fallbacks: given };
  const { head } = conversation;
  const meta = isObject(head?.rec.value) && isObject(head.rec.value._meta) ? head.rec.value._meta : {};
  const route = isObject(meta.route) ? meta.route : {};
  const first = inHead(conversation, route, session);
  if (given.length > 0 || !Array.isArray(route.fallbacks)) return { first, fallbacks: given };
  const routed = route.fallbacks.filter((name) => typeof name === 'string');
  const foreign = routed.find(isAddress);
  if (foreign !== undefined && !isSealed(addressesIn(route), route.digest, env)) throw refused(foreign, conversation);
  return { first, fallbacks: routed.map((name) => ({ name })) };
}

/** The head's model; where ai-route has been, its name is `provider/model`, or it is at an address. */
function inHead(conversation: Conversation, route: JsonObject, { options, env, settings }: Naming): Named | undefined {
  const { provider, url } = route;
  const { model } = headOf(conversation).head;
  if (model === undefined) return undefined;
  // What the user's environment names may stand in a head: ai-exec --head writes it there.
  if (isAddress(model) && model === settings.config.model) return { name: model };
  if (isAddress(model)) throw refused(model, conversation);
  if (typeof url === 'string') {
    if (options.baseUrl === undefined && !isSealed(addressesIn(route), route.digest, env))
      throw refused(url, conversation);
    return { name: model, at: url };
  }
  const name = typeof provider === 'string' ? `${provider}/${model}` : model;
  if (isAddress(name)) throw refused(name, conversation);
  return { name };
}

const refused = (address: string, { rolled, head }: Conversation): ForeignAddress =>
  new ForeignAddress(address, placeOf(rolled ?? head?.rec));
