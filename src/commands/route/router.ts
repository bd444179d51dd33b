// The decision: who says which model it is, what that model must meet, and who comes next.

import type { Need } from '../../lib/config/types.ts';
import { isAtHand, isReason, sourceOf } from '../../lib/credentials/find.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { Settings } from '../../lib/models/settings.ts';
import type { Provider } from '../../lib/models/types.ts';
import type { World } from './attempts.ts';
import { type Attempt, Attempts, type Wish } from './attempts.ts';
import { type Candidate, costOfTurn, familyFor } from './candidate.ts';
import { Candidates } from './candidates.ts';
import { type Demand, PRICE, type Rejection, reject } from './constraints.ts';
import { type Decision, describeRejections } from './decision.ts';
import { makePolicy, type Policy } from './policy.ts';
import type { Engines } from './rules.ts';
import { STRATEGIES } from './strategies/table.ts';
import type { Ranked } from './strategies/types.ts';
import type { View } from './view.ts';

/** Tokens to expect of an answer where nothing says how long it is to be. */
const USUAL_ANSWER = 4096;

/** Fallbacks told of a choice, where none are configured. */
const FALLBACKS = 3;

export class Router {
  readonly #policy: Policy;
  readonly #candidates: Candidates;
  readonly #attempts: Attempts;
  readonly #world: World;
  readonly #atHand: (provider: Provider) => boolean;
  readonly #sourceOf: (provider: Provider) => string | undefined;
  #turn: number | undefined;

  constructor(settings: Settings, engines: Engines | undefined, world: World) {
    const keys = { env: world.env, configured: settings.keys, logins: settings.config.credentials === 'logins' };
    const known = new Map<Provider, boolean>();
    this.#atHand = (provider) => {
      const before = known.get(provider) ?? (provider.kind === 'local' || isAtHand(provider, keys));
      known.set(provider, before);
      return before;
    };
    const { catalogue, aliases } = settings;
    const names = { catalogue, aliases, env: world.env, hasKey: this.#atHand };
    this.#policy = makePolicy(settings, engines);
    this.#candidates = new Candidates(settings, names, engines, (provider) => isReason(provider, keys), world.servers);
    this.#attempts = new Attempts(this.#policy, this.#candidates, world);
    this.#sourceOf = (provider) => sourceOf(provider, keys);
    this.#world = world;
  }

  /** The models that a name stands for, as PROVIDER/MODEL; none if nothing is known of it. */
  standsFor(name: string): string[] {
    try {
      return this.#candidates.named(name).map((one) => one.name);
    } catch (error) {
      if (error instanceof Failure) return [];
      throw error;
    }
  }

  /**
   * The model for a conversation; undefined leaves it as it is: its head names a model, and nothing says otherwise. A `wish` goes
   * before everything. Throws a Failure: 78 for a name that nothing is known of, 1 if no model meets what is demanded.
   */
  decide(view: View, wish?: Wish): Decision | undefined {
    const turn = this.#nextTurn(view);
    const rejected: Rejection[] = [];
    const attempts = wish === undefined ? this.#attempts.of(view) : this.#attempts.wished(wish, view);
    for (const attempt of attempts) {
      if (attempt === 'leave') return undefined;
      const decision = this.#try(attempt, view, turn, rejected);
      if (decision) return decision;
    }
    const { place } = view;
    if (rejected.length === 0) throw this.#nothing(place);
    throw none(rejected, place);
  }

  #nothing(place: string | undefined): Failure {
    const { candidates } = this.#policy.settings;
    const hint = 'use -m PROVIDER/MODEL, or set AI_MODEL';
    if (candidates === undefined)
      return new Failure(EXIT.config, 'cannot choose a model: none is named, and there are no candidates', {
        place,
        hint,
      });
    return new Failure(EXIT.config, `no model matches ${candidates.map((one) => JSON.stringify(one)).join(' or ')}`, {
      place,
      hint: "patterns match PROVIDER/MODEL, for example 'openai/gpt-*'",
    });
  }

  /** The first candidate of an attempt that meets every constraint, as a decision; undefined if none does. Adds those that do not. */
  #try(attempt: Attempt, view: View, turn: number, rejected: Rejection[]): Decision | undefined {
    const demand = this.#demand(view);
    const fits: Candidate[] = [];
    for (const one of attempt.candidates) {
      const rejection = reject(one, demand, attempt.without) ?? this.#withoutKey(one);
      if (rejection) rejected.push(rejection);
      else fits.push(one);
    }
    const keyed = this.#preferKeyed(fits, rejected);
    const ranked = this.#rank(attempt, keyed, demand, turn, view);
    const [first, ...others] = ranked;
    if (first === undefined) return undefined;
    const { candidate } = first;
    const unmet = attempt.without ? reject(candidate, demand) : undefined;
    const cost = costOfTurn(candidate, demand);
    const family = familyFor(candidate);
    const credential = this.#sourceOf(candidate.choice.provider);
    return {
      choice: candidate.choice,
      ...(credential !== undefined && { credential }),
      reason: attempt.why(candidate, first.why, ranked.length),
      estimate: {
        input: demand.prompt.estimate(family),
        output: demand.output,
        basis: demand.prompt.basis(family),
        ...(cost !== undefined && { cost }),
      },
      ...attempt.marks,
      fallbacks: others.slice(0, attempt.ordered ? undefined : FALLBACKS).map((other) => addressOf(other.candidate)),
      rejected,
      unmet: unmet ? [unmet] : [],
    };
  }

  #rank(attempt: Attempt, fits: readonly Candidate[], demand: Demand, turn: number, view: View): Ranked[] {
    const { ordering, strategy, priority } = this.#policy;
    if (attempt.ordered && !ordering) return fits.map((candidate) => ({ candidate, why: () => candidate.reason }));
    return STRATEGIES[strategy].order(fits, {
      priority,
      ...this.#attempts.task(view),
      cost: (one) => costOfTurn(one, demand),
      state: this.#world.state,
      turn,
    });
  }

  #withoutKey({ name, choice }: Candidate): Rejection | undefined {
    if (this.#policy.credentials !== 'require' || this.#atHand(choice.provider)) return undefined;
    return { model: name, constraint: 'credentials', why: whyNoKey(choice.provider) };
  }

  /** If some candidates have their key at hand, only those. */
  #preferKeyed(fits: readonly Candidate[], rejected: Rejection[]): readonly Candidate[] {
    if (this.#policy.credentials !== 'auto') return fits;
    const isKeyed = ({ choice }: Candidate) => this.#atHand(choice.provider);
    if (!fits.some(isKeyed) || fits.every(isKeyed)) return fits;
    const keyed = fits.filter(isKeyed);
    for (const { name, choice } of fits)
      if (!this.#atHand(choice.provider))
        rejected.push({ model: name, constraint: 'credentials', why: whyNoKey(choice.provider) });
    return keyed;
  }

  #demand(view: View): Demand {
    const { settings, allowed, denied } = this.#policy;
    const { maxTokens } = view;
    const now = this.#world.now();
    const { budget, need = [] } = settings;
    return {
      prompt: view.prompt,
      output: maxTokens ?? settings.output ?? USUAL_ANSWER,
      ...(maxTokens !== undefined && { maxTokens }),
      needs: need.length === 0 ? view.needs : new Map([...need.map(asked), ...view.needs]),
      ...(budget !== undefined && { budget: Math.max(0, budget - this.#world.state.spent(now)) }),
      ...(allowed && { allowed }),
      ...(denied && { denied }),
      now,
    };
  }

  /** Counts on from the state; without one, from the first conversation, so that a run can be repeated. */
  #nextTurn(view: View): number {
    if (this.#policy.strategy !== 'round-robin') return 0;
    const seed = this.#policy.settings.seed ?? 0;
    const turn = this.#turn ?? (this.#world.state.turn() ?? hashOf(view.lastText)) + seed;
    this.#turn = turn + 1;
    return Math.abs(turn);
  }
}

/** PROVIDER/MODEL, or where it is. */
const addressOf = ({ name, choice: { url, model } }: Candidate): string =>
  url === undefined ? name : `${url}/${model}`;

/** No model that fits is the user's answer; a price that nobody knows is a gap in the configuration. */
function none(rejected: readonly Rejection[], place: string | undefined): Failure {
  const unpriced = rejected.every(({ constraint }) => constraint === PRICE);
  const hint = 'add its price to models.json, or omit --budget';
  return new Failure(
    unpriced ? EXIT.config : EXIT.no,
    `no model meets the constraints: ${describeRejections(rejected)}`,
    {
      place,
      ...(unpriced && { hint }),
    },
  );
}

const asked = (need: string) => [need as Need, 'it is asked for'] as const;

const whyNoKey = ({ name, keys }: Provider): string =>
  keys.length > 0 ? `no key for ${name}: ${keys.join(' or ')} is not set` : `no key for ${name}`;

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < Math.min(text.length, 4096); i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
