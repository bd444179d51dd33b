// A model that may be chosen, and what it would cost.

import { canonical } from '../../lib/models/canonical.ts';
import type { Catalogue } from '../../lib/models/catalogue.ts';
import { costOf, priceAt } from '../../lib/models/cost.ts';
import { endpointOf } from '../../lib/models/endpoint.ts';
import type { Choice } from '../../lib/models/resolve.ts';
import type { Model, Price, Provider } from '../../lib/models/types.ts';
import { type Family, familyOf } from '../../lib/tokens/families.ts';
import type { Prompt } from './prompt.ts';

/** A request that is to be sent. */
export interface Turn {
  readonly prompt: Prompt;
  /** Tokens to expect of the answer. */
  readonly output: number;
  readonly now: number;
}

export interface Candidate {
  readonly choice: Choice;
  /** PROVIDER/MODEL. */
  readonly name: string;
  /** Somebody wrote its name: what is not known of it does not speak against it. */
  readonly named: boolean;
  /** Undefined where it is not known. */
  readonly price?: Price;
  /** From 0 to 1: see `cheapness`. */
  readonly cheapness: number;
  readonly reason: string;
}

export function candidate(choice: Choice, named: boolean, env: Env): Candidate {
  const { provider, model, reason } = choice;
  const price = priceAt(choice, provider.kind === 'local' ? endpointOf(provider, env).url : undefined);
  const name = `${provider.name}/${model}`;
  return { choice, name, named, reason, ...(price && { price }), cheapness: cheapness(price) };
}

type Env = Parameters<typeof endpointOf>[1];

/** From 1 (10 cents for a million tokens, three of four of them read) to 0 (100 dollars); a scale of its own, so that no candidate moves others. */
function cheapness(price: { readonly input?: number; readonly output?: number } | undefined): number {
  if (price?.input === undefined || price.output === undefined) return 0;
  const blended = Math.max(0.1, Math.min(100, 0.75 * price.input + 0.25 * price.output));
  return 1 - Math.log10(blended / 0.1) / 3;
}

/** How the tokens of a model are counted. */
export const familyFor = ({ choice: { model, facts, provider } }: Candidate): Family =>
  familyOf(model, facts?.api ?? provider.api);

/** USD of a request, as estimated; undefined where a price is not known. */
export function costOfTurn(
  candidate: Candidate,
  { prompt, output, now }: Turn,
  input = () => prompt.estimate(familyFor(candidate)),
): number | undefined {
  const { price } = candidate;
  return price && costOf(price, { input: input(), output }, now);
}

/**
 * Candidates where nothing says which: the present models of the providers whose key is at hand, or of the vendors if none is. Of one model's
 * ids at a provider (its regions), the shortest.
 */
export function pool(catalogue: Catalogue, isAtHand: (provider: Provider) => boolean, env: Env): Candidate[] {
  const all = [...catalogue.providers.values()].filter(({ kind }) => kind !== 'classifier');
  const keyed = all.filter((provider) => provider.kind !== 'local' && isAtHand(provider));
  const local = all.filter(({ kind }) => kind === 'local');
  const chosen = keyed.length > 0 ? [...keyed, ...local] : [...all.filter(({ kind }) => kind === 'vendor'), ...local];
  return chosen.flatMap((provider) => present(provider, catalogue, env));
}

function present(provider: Provider, catalogue: Catalogue, env: Env): Candidate[] {
  const shortest = new Map<string, Model>();
  for (const model of catalogue.current(provider)) {
    const name = canonical(model.id);
    const before = shortest.get(name);
    if (before === undefined || model.id.length < before.id.length) shortest.set(name, model);
  }
  return [...shortest.values()].map((facts) =>
    candidate({ provider, model: facts.id, facts, reason: `${provider.name} serves it` }, false, env),
  );
}
