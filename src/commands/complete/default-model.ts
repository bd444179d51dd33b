// The model where nobody names one: the configured one, one of a server of this machine, one whose key is at hand.
import { isReason, sourceOf } from '../../lib/credentials/find.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { isAddress } from '../../lib/models/address.ts';
import { resolveModel } from '../../lib/models/resolve.ts';
import type { Model, Provider } from '../../lib/models/types.ts';
import { apiNamed } from '../../lib/providers/table.ts';
import type { Named } from './named.ts';
import type { Session } from './session.ts';
import { keysOf, namesIn } from './target.ts';

/** The name of a model on a server of this machine, whichever. */
const LOCAL = 'local';

/** What a session has found to ask, once for all of its conversations. */
const found = new WeakMap<Session, Map<string, Promise<string>>>();

/**
 * What to ask for a conversation that names this model: itself, or one that is there where it names none or `local`; of a `name:tag` that of the server
 * of this machine which has it. Throws a Failure (69) where there is neither model nor key nor server, and (78) for a tag that nobody has.
 */
export async function asked(named: Named | undefined, session: Session): Promise<Named> {
  if (named?.at !== undefined || (named !== undefined && named.name !== LOCAL && !named.name.includes(':')))
    return named;
  const known = found.get(session) ?? new Map<string, Promise<string>>();
  found.set(session, known);
  const wanted = named?.name ?? '';
  const name = known.get(wanted) ?? foundFor(named?.name, session);
  known.set(wanted, name);
  return { name: await name };
}

async function foundFor(named: string | undefined, session: Session): Promise<string> {
  if (named === LOCAL) return localOnly(session);
  return servedName(named ?? (await defaultModel(session)), session);
}

async function defaultModel(session: Session): Promise<string> {
  const configured = session.settings.config.model;
  if (configured !== undefined) return configured === LOCAL ? localOnly(session) : configured;
  const model = (await localModel(session)) ?? keyed(session);
  if (model === undefined) throw nothing();
  session.note(`no model is named: using ${model.told}`);
  return model.name;
}

interface Found {
  readonly name: string;
  /** With its server or the place of its credential. */
  readonly told: string;
}

function keyed({ settings, env }: Session): Found | undefined {
  const { catalogue } = settings;
  const keys = keysOf(settings, env);
  for (const provider of byLikelihood(catalogue.providers.values())) {
    if (provider.kind === 'local' || apiNamed(provider.api) === undefined) continue;
    if (!isReason(provider, keys)) continue;
    const [best] = catalogue.current(provider).toSorted((a, b) => rank(b) - rank(a));
    const name = `${provider.name}/${best?.id}`;
    if (best) return { name, told: `${name} with ${sourceOf(provider, keys)}` };
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
async function localModel({ settings, env, context }: Session): Promise<Found | undefined> {
  const { localServers } = await import('../../lib/providers/local.ts');
  const [server] = await localServers(settings.catalogue, env, context.signal);
  if (server === undefined) return undefined;
  const name = `${server.provider.name}/${server.models[0]}`;
  const key = sourceOf(server.provider, keysOf(settings, env)) ?? 'no key';
  return { name, told: `${name} at ${server.url} with ${key}` };
}

/** What -m local means. Throws a Failure (69) where no server answers. */
async function localOnly(session: Session): Promise<string> {
  const model = await localModel(session);
  if (model !== undefined) return model.name;
  throw new Failure(EXIT.unavailable, 'no model server responds on this machine', {
    hint: 'start one: ollama run llama3.2',
  });
}

/** `provider/model` for a `name:tag`, any other name as it is. Throws a Failure (78) where no server of this machine has it. */
async function servedName(name: string, { settings, env, context, options }: Session): Promise<string> {
  if (!name.includes(':') || isAddress(name) || options.baseUrl !== undefined) return name;
  const choice = resolveModel(name, namesIn(settings, env));
  if (!choice.tag) return name;
  const { servedHere } = await import('../../lib/providers/local.ts');
  const { provider, model } = await servedHere(choice, settings.catalogue, env, context.signal);
  return `${provider.name}/${model}`;
}

const nothing = (): Failure =>
  new Failure(EXIT.unavailable, 'no model is named, no API key is set, and no model server responds on this machine', {
    hint: [
      'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY',
      'or start a local server with "ollama run llama3.2"',
      'or use a model file with -m gguf:FILE; -m extract summarizes without a model',
    ].join('; '),
  });
