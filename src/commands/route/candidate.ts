// A model that may be chosen, and what it would cost.

import { canonical } from '../../lib/models/canonical.ts';
import type { Catalogue } from '../../lib/models/catalogue.ts';
import { costOf } from '../../lib/models/cost.ts';
import type { Choice } from '../../lib/models/resolve.ts';
import type { Model, Provider } from '../../lib/models/types.ts';
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
  /** From 0 to 1: see `cheapness`. */
  readonly cheapness: number;
  readonly reason: string;
}

export const candidate = (choice: Choice, named: boolean, reason = choice.reason): Candidate => ({
  choice,
  name: `${choice.provider.name}/${choice.model}`,
  named,
  reason,
  cheapness: cheapness(choice.facts?.price),
});

/** From 1 (10 cents for a million tokens, three of four of them read) to 0 (100 dollars); a scale of its own, so that no candidate moves others. */
function cheapness(price: { readonly input?: number; readonly output?: number } | undefined): number {
  if (price?.input === undefined || price.output === undefined) return 0;
  const blended = Math.max(0.1, Math.min(100, 0.75 * price.input + 0.25 * price.output));
  return 1 - Math.log10(blended / 0.1) / 3;
}

/** How the tokens of a model are counted. */
export const familyFor = ({ choice: { model, facts, provider } }: Candidate): Family =>
  familyOf(model, facts?.api ?? provider.api);

/** USD of a request, as estimated; undefined where a price is not known. Servers of this machine cost nothing. */
export function costOfTurn(
  candidate: Candidate,
  { prompt, output, now }: Turn,
  input = () => prompt.estimate(familyFor(candidate)),
): number | undefined {
  const { facts, provider } = candidate.choice;
  if (facts?.price === undefined) return provider.kind === 'local' ? 0 : undefined;
  return costOf(facts.price, { input: input(), output }, now);
}

/**
 * Candidates where nothing says which: the present models of the providers whose key is at hand, or of the vendors if none is. Of one model's
 * ids at a provider (its regions), the shortest.
 */
export function pool(catalogue: Catalogue, isAtHand: (provider: Provider) => boolean): Candidate[] {
  const all = [...catalogue.providers.values()].filter(({ kind }) => kind !== 'classifier');
  const keyed = all.filter((provider) => provider.kind !== 'local' && isAtHand(provider));
  const local = all.filter(({ kind }) => kind === 'local');
  const chosen = keyed.length > 0 ? [...keyed, ...local] : [...all.filter(({ kind }) => kind === 'vendor'), ...local];
  return chosen.flatMap((provider) => present(provider, catalogue));
}

function present(provider: Provider, catalogue: Catalogue): Candidate[] {
  const shortest = new Map<string, Model>();
  for (const model of catalogue.current(provider)) {
    const name = canonical(model.id);
    const before = shortest.get(name);
    if (before === undefined || model.id.length < before.id.length) shortest.set(name, model);
  }
  return [...shortest.values()].map((facts) =>
    candidate({ provider, model: facts.id, facts, reason: `${provider.name} serves it` }, false),
  );
}
