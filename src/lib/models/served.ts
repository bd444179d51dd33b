// Which server of this machine has a model.
import { EXIT, Failure } from '../failure/failure.ts';
import type { Choice } from './choice.ts';
import type { Provider } from './types.ts';

export interface LocalServer {
  readonly provider: Provider;
  /** Its base URL. */
  readonly url: string;
  /** The models that it says it has, in its order. */
  readonly models: readonly string[];
}

/**
 * Who has the model of a `name:tag`: the server of this machine that lists it. Throws a Failure (78) with the choices where none does: by its
 * name alone it might be another company's.
 */
export function servedBy(choice: Choice, servers: readonly LocalServer[]): Choice {
  const { tag: _, ...plain } = choice;
  const server = servers.find(({ models }) => models.includes(choice.model));
  if (server === undefined) throw nowhere(choice.model, servers);
  return { ...plain, provider: server.provider, reason: `${server.provider.name} has it` };
}

function nowhere(model: string, servers: readonly LocalServer[]): Failure {
  const at = servers.map(({ provider }) => provider.name).join(', ');
  const why = at === '' ? 'no model server responds on this machine' : `${at} has no such model`;
  return new Failure(EXIT.config, `cannot find a provider for "${model}": NAME:TAG is a model of Ollama, and ${why}`, {
    hint: `run "ollama run ${model}", or write PROVIDER/MODEL: ollama/${model}, ollama-cloud/${model}`,
  });
}
