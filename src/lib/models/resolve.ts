// From what a user calls a model to the provider that serves it.
import { EXIT, Failure } from '../ir/failure.ts';
import { type Model, modelNamed, PROVIDERS, type Provider, providerNamed } from './catalogue.ts';

export interface Choice {
  readonly provider: Provider;
  /** The id that goes into the request. */
  readonly model: string;
  /** Undefined for a model that the catalogue does not list. */
  readonly facts?: Model;
  readonly reason: string;
}

/** `PROVIDER/MODEL`, or a model's own name. Throws a Failure (78) where neither is known. */
export function resolveModel(name: string): Choice {
  const slash = name.indexOf('/');
  const prefix = slash > 0 ? providerNamed(name.slice(0, slash)) : undefined;
  if (prefix) return choose(prefix, name.slice(slash + 1), `the provider is named: ${prefix.name}`);
  const listed = modelNamed(name);
  const lister = listed && providerNamed(listed.provider);
  if (lister) return choose(lister, name, `${lister.name} is listed as the provider of ${name}`);
  const native = PROVIDERS.find((provider) => provider.models?.some((start) => name.startsWith(start)));
  if (native) return choose(native, name, `names that begin so are ${native.name}'s`);
  const known = PROVIDERS.map((provider) => provider.name).join(', ');
  throw new Failure(EXIT.config, `cannot find the model "${name}"`, {
    hint: `write PROVIDER/MODEL; providers: ${known}`,
  });
}

const choose = (provider: Provider, model: string, reason: string): Choice => ({
  provider,
  model,
  facts: modelNamed(model, provider.name),
  reason,
});
