// What a name of a model has been found to mean, and the errors where it means nothing, or too much.
import { EXIT, Failure } from '../failure/failure.ts';
import { canonical } from './canonical.ts';
import type { Catalogue } from './catalogue.ts';
import { family, type Listed, nearestModels } from './search.ts';
import type { Model, Provider } from './types.ts';

export interface Choice {
  readonly provider: Provider;
  /** The id that goes into the request. */
  readonly model: string;
  /** Undefined for a model that the catalogue does not list. */
  readonly facts?: Model;
  /** The base URL, where it is not one of the provider's. */
  readonly url?: string;
  readonly reason: string;
  /** Somebody wrote its address: what listens there may pass on to others. */
  readonly addressed?: true;
  /** It is a `name:tag`: a server of this machine must have it (see `servedHere`). */
  readonly tag?: true;
}

/** What names mean here and now. */
export interface Names {
  readonly catalogue?: Catalogue;
  /** The user's aliases; they go before everything else. */
  readonly aliases?: ReadonlyMap<string, readonly string[]>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether a credential is at hand: decides between providers that serve the same model. */
  readonly hasKey?: (provider: Provider) => boolean;
}

export const choose = (provider: Provider, model: string, reason: string, catalogue: Catalogue): Choice => ({
  provider,
  model,
  facts: catalogue.model(model, provider.name),
  reason,
});

/** The id that a vendor's family without a version means: the one called latest, else the one of its present line-up. */
export function ofFamily(name: string, { name: vendor }: Provider, catalogue: Catalogue): string | undefined {
  if (family(name) !== canonical(name)) return undefined;
  const models = [...catalogue.models(vendor).values()];
  const latest = models.find(({ id }) => id.toLowerCase() === `${name.toLowerCase()}-latest`);
  const present = models.filter((model) => model.current && family(model.id) === family(name));
  return latest?.id ?? (present.length === 1 ? present[0]?.id : undefined);
}

export const unknown = (name: string, how: string, catalogue: Catalogue, provider?: string): Failure =>
  new Failure(EXIT.config, `cannot find the model ${JSON.stringify(name.slice(0, 80))}`, {
    hint: `did you mean ${nearestModels(name, catalogue, 3, provider).join(', ')}? ${how}`,
  });

/** Told of an ambiguous name: at most this many candidates. */
const TOLD = 8;

export function ambiguous(name: string, at: readonly Listed[]): Failure {
  const told = at.slice(0, TOLD).map(({ provider, id }) => `${provider}/${id}`);
  const more = at.length > TOLD ? ` and ${at.length - TOLD} more` : '';
  return new Failure(
    EXIT.config,
    `cannot tell which model ${JSON.stringify(name)} is meant: the name matches ${told.join(', ')}${more}`,
    { hint: 'use one of these names' },
  );
}
