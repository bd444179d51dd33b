// The model where nobody names one: the configured one, one whose key is at hand, one of a server of this machine.
import { isAtHand } from '../../lib/credentials/find.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import type { Model, Provider } from '../../lib/models/types.ts';
import { apiNamed } from '../../lib/providers/table.ts';
import type { Session } from './session.ts';

/** The name of a model on a server of this machine, whichever. */
export const LOCAL = 'local';

/** Throws a Failure (69) where there is neither model nor key nor server. */
export async function defaultModel(session: Session): Promise<string> {
  const configured = session.settings.config.model;
  if (configured !== undefined) return configured;
  const found = keyed(session) ?? (await localModel(session));
  if (found === undefined) throw nothing();
  session.note(`no model is named: asking ${found}`);
  return found;
}

function keyed({ settings, env }: Session): string | undefined {
  const { catalogue, keys } = settings;
  for (const provider of byLikelihood(catalogue.providers.values())) {
    if (provider.kind === 'local' || apiNamed(provider.api) === undefined) continue;
    if (!isAtHand(provider, { env, configured: keys })) continue;
    const [best] = catalogue.current(provider).toSorted((a, b) => rank(b) - rank(a));
    if (best) return `${provider.name}/${best.id}`;
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

/** `provider/model` of the first server found; undefined where none answers. */
export async function localModel({ settings, env, context }: Session): Promise<string | undefined> {
  const { localServers } = await import('../../lib/providers/local.ts');
  const [server] = await localServers(settings.catalogue, env, context.signal);
  return server && `${server.provider.name}/${server.models[0]}`;
}

/** What -m local means. Throws a Failure (69) where no server answers. */
export async function localOnly(session: Session): Promise<string> {
  const found = await localModel(session);
  if (found !== undefined) return found;
  throw new Failure(EXIT.unavailable, 'no model server answers on this machine', {
    hint: 'start one: ollama run llama3.2',
  });
}

const nothing = (): Failure =>
  new Failure(EXIT.unavailable, 'no model is named, no key is set, and no model server answers on this machine', {
    hint: [
      'the shortest ways to one: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY',
      'or start a local server with "ollama run llama3.2"',
      'or use a model file with -m gguf:FILE; -m extract summarises without any model',
    ].join('; '),
  });
