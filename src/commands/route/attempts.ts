// Who says which model it is: one attempt after another, until a model meets what is demanded.

import type { Task } from '../../lib/config/types.ts';
import type { Keys } from '../../lib/credentials/find.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { isAddress } from '../../lib/models/address.ts';
import { ALIASES, CHAINS } from '../../lib/models/aliases.ts';
import { addressesIn, ForeignAddress } from '../../lib/models/routed.ts';
import type { LocalServer } from '../../lib/models/served.ts';
import { isSealed } from '../../lib/state/seal.ts';
import type { SharedState } from '../../lib/state/types.ts';
import type { Candidate } from './candidate.ts';
import type { Candidates } from './candidates.ts';
import { type Classification, classify } from './classify.ts';
import type { Decision } from './decision.ts';
import { AUTO, type Policy, type Step } from './policy.ts';
import type { CompiledRule } from './rules.ts';
import type { View } from './view.ts';

export interface World extends Pick<Keys, 'env'> {
  readonly now: () => number;
  readonly state: SharedState;
  /** Named models are not held to what the conversation needs. */
  readonly force: boolean;
  /** Those of this machine, where a `name:tag` is configured. */
  readonly servers?: readonly LocalServer[];
}

/** What the model of a request by name need not meet: a later stage may make the conversation fit. */
const FITTED_LATER = ['context'];
const NEEDED = [
  'image',
  'document',
  'audio',
  'video',
  'tools',
  'reasoning',
  'schema',
  'streaming',
  'context',
  'output',
];

/** One attempt: some candidates, and how they are to be taken. */
export interface Attempt {
  readonly candidates: readonly Candidate[];
  /** Their order is somebody's wish. */
  readonly ordered: boolean;
  readonly why: (candidate: Candidate, ranked: () => string, of: number) => string;
  readonly without?: readonly string[];
  readonly marks: Pick<Decision, 'requested' | 'rule' | 'task' | 'strategy'>;
}

/** A model that goes before what the configuration says. */
export interface Wish {
  readonly name: string;
  readonly from: 'user' | 'agent';
}

export class Attempts {
  readonly #policy: Policy;
  readonly #candidates: Candidates;
  readonly #force: boolean;
  readonly #env: World['env'];

  constructor(policy: Policy, candidates: Candidates, { force, env }: Pick<World, 'force' | 'env'>) {
    this.#policy = policy;
    this.#candidates = candidates;
    this.#force = force;
    this.#env = env;
  }

  /** In the order in which they count. */
  *of(view: View): Generator<Attempt | 'leave'> {
    for (const step of this.#policy.steps) {
      yield* this.#ofStep(step, view);
      if (step.type !== 'rules') return;
    }
    if (view.requested !== undefined) {
      yield this.#ofHead(view, view.requested);
      if (view.routed?.strategy === undefined) return;
    }
    yield this.#chosen(view);
  }

  *#ofStep(step: Step, view: View): Generator<Attempt> {
    if (step.type === 'choice') yield this.#chosen(view);
    else if (step.type === 'model') yield this.#ofModel(step);
    else
      for (const rule of step.rules) if (rule.matches(view, () => this.#taskOf(view))) yield this.#ofRule(rule, view);
  }

  #ofModel({ name, from, secret }: Extract<Step, { type: 'model' }>): Attempt {
    const said = from === '' ? '' : `${from} names ${secret ? 'it' : name}; `;
    return this.#ofName(name, secret, (reason) => `${said}${reason}`);
  }

  /** What the user said in the conversation, or the chosen agent wants. */
  *wished({ name, from }: Wish, view: View): Generator<Attempt> {
    if (isAddress(name)) throw new ForeignAddress(name, view.place);
    if (name === AUTO) yield this.#chosen(view);
    else {
      if (from === 'user') this.#known(name, view);
      const who = from === 'user' ? `the user said >>swap ${name}` : `the agent wants ${name}`;
      yield this.#ofName(name, false, (reason) => `${who}; ${reason}`);
    }
  }

  /** A head with a model stays as it is, unless its name is an alias, or something is demanded, or it was chosen here and no longer fits. */
  #ofHead(view: View, name: string): Attempt | 'leave' {
    const routed = view.routed;
    const server = this.#serverOf(view, name);
    const alias = this.#isAlias(name);
    const chosen = routed?.strategy !== undefined;
    if (!alias && !chosen && !this.#policy.demands) return 'leave';
    const full = alias || server === undefined ? name : `${server}/${name}`;
    this.#known(full, view);
    const attempt = this.#ofName(full, false, (reason) =>
      chosen ? String(routed?.reason) : `the head names it; ${reason}`,
    );
    return chosen ? { ...attempt, without: [], marks: { strategy: String(routed?.strategy) } } : attempt;
  }

  /** The provider or the address at which an earlier run has found the head's model. Throws a ForeignAddress for one that is not sealed. */
  #serverOf({ routed = {}, place }: View, name: string): string | undefined {
    const { provider, url, digest } = routed;
    const foreign = isAddress(name) ? name : addressesIn(routed)[0];
    if (foreign !== undefined && (isAddress(name) || !isSealed(addressesIn(routed), digest, this.#env)))
      throw new ForeignAddress(foreign, place);
    const server = typeof url === 'string' ? url : typeof provider === 'string' ? provider : undefined;
    if (typeof url !== 'string' && isAddress(`${server}/${name}`)) throw new ForeignAddress(`${server}/${name}`, place);
    return server;
  }

  /** A name that a conversation says and nobody knows is told with its place. */
  #known(name: string, { place }: View): void {
    try {
      this.#candidates.named(name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(error.status, error.message, { place, hint: error.hint });
    }
  }

  #isAlias(name: string): boolean {
    return (
      this.#candidates.isAlias(name) || Object.hasOwn(ALIASES, name) || (name !== '' && Object.hasOwn(CHAINS, name))
    );
  }

  /** A model that somebody named, and the configured fallbacks after it. */
  #ofName(name: string, secret: boolean, why: (reason: string) => string): Attempt {
    const fallbacks = this.#policy.settings.fallbacks ?? [];
    const first = this.#named(name, secret);
    const candidates = [...first, ...this.#candidates.all(fallbacks)];
    const alone = candidates.length === 1;
    const forced = this.#force ? NEEDED : alone ? FITTED_LATER : [];
    const own = first.length === 1 && first[0]?.choice.model === name;
    return {
      candidates,
      ordered: true,
      why: (one) =>
        first.includes(one)
          ? why(one.reason)
          : `a fallback, because ${secret ? 'it' : name} does not meet the constraints; ${one.reason}`,
      without: forced,
      marks: own || secret ? {} : { requested: name },
    };
  }

  /** What a command printed is not told, not even if it is no model's name. */
  #named(name: string, secret: boolean): readonly Candidate[] {
    try {
      return this.#candidates.named(name);
    } catch (error) {
      if (!secret || !(error instanceof Failure)) throw error;
      throw new Failure(EXIT.config, 'cannot find the model that a command in the configuration printed');
    }
  }

  #ofRule({ label, use }: CompiledRule, view: View): Attempt {
    const quoted = JSON.stringify(label);
    if (use.length === 1 && use[0] === AUTO) {
      const chosen = this.#chosen(view);
      return {
        ...chosen,
        why: (...args) => `the rule ${quoted} fits; ${chosen.why(...args)}`,
        marks: { ...chosen.marks, rule: label },
      };
    }
    const fallbacks = this.#policy.settings.fallbacks ?? [];
    const own = this.#candidates.all(use);
    return {
      candidates: [...own, ...this.#candidates.all(fallbacks)],
      ordered: true,
      why: (one) => `the rule ${quoted} fits; ${own.includes(one) ? '' : 'a fallback; '}${one.reason}`,
      marks: { rule: label, ...this.task(view) },
    };
  }

  #chosen(view: View): Attempt {
    const { strategy, priority } = this.#policy;
    const task = this.#taskOf(view)?.task;
    const named = strategy === 'capability' ? `${strategy} ${priority}` : strategy;
    const forTask = task === undefined ? '' : ` for ${task}`;
    return {
      candidates: this.#candidates.toChoose(task),
      ordered: this.#candidates.isOrdered(task),
      why: (_, ranked, of) => `${ranked()}: first of ${of} by ${named}${forTask}`,
      marks: { strategy: named, ...this.task(view) },
    };
  }

  /** The kind of task that was found, to be told. */
  task(view: View): { task?: Task } {
    const task = this.#policy.task ?? view.task?.task;
    return task === undefined ? {} : { task };
  }

  #taskOf(view: View): Classification | undefined {
    const { task } = this.#policy;
    return task === undefined ? view.classified(classify) : { task, signals: [] };
  }
}
