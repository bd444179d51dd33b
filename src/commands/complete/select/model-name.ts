// The models that are requested: by the command line, else by the conversation, else the default. A record may name a model, but no address.
import { type Conversation, headOf } from '../../../lib/conversion/gather.ts';
import { isReason, sourceOf } from '../../../lib/credentials/find.ts';
import { formatNamed } from '../../../lib/dialects/table.ts';
import { EXIT, Failure, placeOf } from '../../../lib/failure/failure.ts';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';
import { isAddress } from '../../../lib/models/address.ts';
import { resolveModel } from '../../../lib/models/resolve.ts';
import { addressesIn, ForeignAddress } from '../../../lib/models/routed.ts';
import type { Model, Provider } from '../../../lib/models/types.ts';
import { isSealed } from '../../../lib/state/seal.ts';
import type { Run } from '../run.ts';
import { keysOf, type ModelName, namesIn } from './target.ts';

/**
 * The model from the option, else from the head and its route; and the fallbacks. Throws a ForeignAddress for an address in a record that is
 * neither sealed by ai-route nor that of the configured model.
 */
export function readModelNames(
  conversation: Conversation,
  run: Run,
): { readonly first: ModelName | undefined; readonly fallbacks: readonly ModelName[] } {
  const { options, env } = run;
  const given = options.fallback.map((name) => ({ name }));
  if (options.model !== undefined) return { first: { name: options.model }, fallbacks: given };
  const { head } = conversation;
  const meta = isObject(head?.rec.value) && isObject(head.rec.value._meta) ? head.rec.value._meta : {};
  const route = isObject(meta.route) ? meta.route : {};
  const first = readHead(conversation, route, run);
  if (given.length > 0 || !Array.isArray(route.fallbacks)) return { first, fallbacks: given };
  const routed = route.fallbacks.filter((name) => typeof name === 'string');
  const foreign = routed.find(isAddress);
  if (foreign !== undefined && !isSealed(addressesIn(route), route.digest, env))
    throw foreignAddress(foreign, conversation);
  return { first, fallbacks: routed.map((name) => ({ name })) };
}

/** The head's model; where ai-route has been, its name is `provider/model`, or it is at an address. */
function readHead(
  conversation: Conversation,
  route: JsonObject,
  { options, env, settings }: Run,
): ModelName | undefined {
  const { provider, url } = route;
  const { model } = headOf(conversation).head;
  if (model === undefined) return undefined;
  // What the user's environment names may stand in a head: ai-exec --head writes it there.
  if (isAddress(model) && model === settings.config.model) return { name: model };
  if (isAddress(model)) throw foreignAddress(model, conversation);
  if (typeof url === 'string') {
    if (options['base-url'] === undefined && !isSealed(addressesIn(route), route.digest, env))
      throw foreignAddress(url, conversation);
    return { name: model, at: url };
  }
  const name = typeof provider === 'string' ? `${provider}/${model}` : model;
  if (isAddress(name)) throw foreignAddress(name, conversation);
  return { name };
}

const foreignAddress = (address: string, { rolled, head }: Conversation): ForeignAddress =>
  new ForeignAddress(address, placeOf(rolled ?? head?.rec));

/** The name of a model on a server of this machine, whichever. */
const LOCAL = 'local';

/**
 * The model that a name stands for: the default model for no name, the one that a local server has for `local` and for `name:tag`, otherwise the
 * named one. Throws a Failure: 69 where there is neither a model nor a key nor a server, 78 for a tag that no server has.
 */
export async function findModel(named: ModelName | undefined, run: Run): Promise<ModelName> {
  if (named?.at !== undefined || (named !== undefined && named.name !== LOCAL && !named.name.includes(':')))
    return named;
  const key = named?.name ?? '';
  const name = run.modelNames.get(key) ?? findName(named?.name, run);
  run.modelNames.set(key, name);
  return { name: await name };
}

async function findName(named: string | undefined, run: Run): Promise<string> {
  if (named === LOCAL) return findLocalModel(run);
  return findServed(named ?? (await findDefaultModel(run)), run);
}

async function findDefaultModel(run: Run): Promise<string> {
  const configured = run.settings.config.model;
  if (configured !== undefined) return configured === LOCAL ? findLocalModel(run) : configured;
  const model = (await firstLocalModel(run)) ?? firstKeyedModel(run);
  if (model === undefined) throw noModel();
  run.note(`no model is named: using ${model.description}`);
  return model.name;
}

interface FoundModel {
  readonly name: string;
  /** With its server or the source of its credential. */
  readonly description: string;
}

function firstKeyedModel({ settings, env }: Run): FoundModel | undefined {
  const { catalogue } = settings;
  const keys = keysOf(settings, env);
  for (const provider of byLikelihood(catalogue.providers.values())) {
    if (provider.kind === 'local' || formatNamed(provider.api)?.endpoint === undefined) continue;
    if (!isReason(provider, keys)) continue;
    const [best] = catalogue.current(provider).toSorted((a, b) => rank(b) - rank(a));
    const name = `${provider.name}/${best?.id}`;
    if (best) return { name, description: `${name} with ${sourceOf(provider, keys)}` };
  }
  return undefined;
}

/** Good at its work and quick: neither the dearest nor the smallest. */
const rank = ({ quality = 0, speed = 0, tools }: Model): number => quality + speed + (tools ? 1 : 0);

const FIRST = ['anthropic', 'openai', 'google'];

/** Those whose keys most users have, then makers of models, then the others. */
function byLikelihood(providers: Iterable<Provider>): Provider[] {
  const place = ({ name, kind }: Provider) => {
    const at = FIRST.indexOf(name);
    return at >= 0 ? at : FIRST.length + (kind === 'vendor' ? 0 : 1);
  };
  return [...providers].sort((a, b) => place(a) - place(b));
}

/** The first server found; undefined where none answers. */
async function firstLocalModel({ settings, env, context }: Run): Promise<FoundModel | undefined> {
  const { localServers } = await import('../../../lib/providers/local.ts');
  const [server] = await localServers(settings.catalogue, env, context.signal);
  if (server === undefined) return undefined;
  const name = `${server.provider.name}/${server.models[0]}`;
  const key = sourceOf(server.provider, keysOf(settings, env)) ?? 'no key';
  return { name, description: `${name} at ${server.url} with ${key}` };
}

/** What -m local means. Throws a Failure (69) where no server answers. */
async function findLocalModel(run: Run): Promise<string> {
  const model = await firstLocalModel(run);
  if (model !== undefined) return model.name;
  throw new Failure(EXIT.unavailable, 'no model server responds on this machine', {
    hint: 'start one: ollama run llama3.2',
  });
}

/** `provider/model` for a `name:tag`, any other name as it is. Throws a Failure (78) where no server of this machine has it. */
async function findServed(name: string, { settings, env, context, options }: Run): Promise<string> {
  if (!name.includes(':') || isAddress(name) || options['base-url'] !== undefined) return name;
  const choice = resolveModel(name, namesIn(settings, env));
  if (!choice.tag) return name;
  const { servedHere } = await import('../../../lib/providers/local.ts');
  const { provider, model } = await servedHere(choice, settings.catalogue, env, context.signal);
  return `${provider.name}/${model}`;
}

const noModel = (): Failure =>
  new Failure(EXIT.unavailable, 'no model is named, no API key is set, and no model server responds on this machine', {
    hint: [
      'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY',
      'or start a local server with "ollama run llama3.2"',
      'or use a model file with -m gguf:FILE; -m extract summarizes without a model',
    ].join('; '),
  });
