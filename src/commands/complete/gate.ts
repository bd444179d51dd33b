// The way out to a provider, which every process of the machine shares: breaker, limits, budgets, ledger. Without a shared state all pass.
import type { Limits } from '../../lib/config/types.ts';
import type { Usage } from '../../lib/conversation/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { costOf } from '../../lib/models/cost.ts';
import { AttemptFailed, type Kind } from '../../lib/providers/errors.ts';
import type { Quota } from '../../lib/providers/pause.ts';
import { sleep } from '../../lib/providers/retry.ts';
import { readRate } from '../../lib/state/limits.ts';
import type { Admission, Budgets, Rates, Spent, State, Wish } from '../../lib/state/state.ts';
import type { Target } from './target.ts';

interface GateOptions {
  readonly state: State | undefined;
  readonly project: string;
  readonly now: () => number;
  readonly random: () => number;
  readonly budgets: Budgets & { readonly call?: number };
  /** The rates of everything, from the command line. */
  readonly rates: Rates;
  /** Those of a provider or a model, from the configuration. */
  readonly limits: { readonly [name: string]: Limits };
  readonly onSpent: (spent: Spent) => void;
}

/** One attempt that has been let out. */
export interface Pass {
  /** Resolves when its turn has come. */
  turn(signal: AbortSignal): Promise<void>;
  /** What the server tells of its limits; entered with the end of the attempt, so that no answer waits for it. */
  told(quotas: readonly Quota[]): void;
  /** Resolves when the answer is entered. */
  answered(usage: Usage, usd: number | undefined): Promise<void>;
  failed(error: AttemptFailed | undefined): Promise<void>;
}

/** What an attempt is, beside its target and its request. Seconds. */
interface Bounds {
  readonly maxWait: number;
  readonly timeout: number;
}

/** What tells of a server that is not well. One that is not there at all costs nothing to ask, and may be there the next moment. */
const BROKEN = new Set<Kind>(['busy', 'server', 'silent']);

/** Bytes of a request that make a token, roughly; tokens of an answer where nothing bounds it. */
const BYTES = 4;
const ANSWER = 4096;

export class Gate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get state(): State | undefined {
    return this.#options.state;
  }

  get project(): string {
    return this.#options.project;
  }

  /** Throws AttemptFailed where the breaker is open, a budget is spent, or the turn would come too late. */
  async enter(target: Target, body: JsonObject, bytes: number, bounds: Bounds): Promise<Pass> {
    const { state, budgets } = this.#options;
    const wish = this.#wish(target, body, bytes, bounds);
    if (budgets.call !== undefined && wish.usd > budgets.call)
      throw new AttemptFailed(
        'spent',
        `cannot complete: an answer of ${wish.name} may cost $${wish.usd.toFixed(4)}, but the budget per call is $${budgets.call}`,
        { hint: 'lower --max-tokens, or raise the budget' },
      );
    if (state === undefined) return FREE;
    const admission = await state.together(() => state.admit(wish));
    if (admission.let === 'not') throw refusedHere(wish, admission, budgets);
    return this.#pass(state, wish, admission);
  }

  #pass(state: State, wish: Wish, { flight, wait }: Extract<Admission, { let: 'in' }>): Pass {
    let open = true;
    let heard: readonly Quota[] = [];
    const end = async <T>(act: () => T): Promise<T | undefined> => {
      if (!open) return undefined;
      open = false;
      return state.together(() => {
        state.told(wish.name, heard);
        const used = usedUpFor(heard);
        if (used > 0 && used * 1000 <= wish.longest) state.pause(wish.name, used);
        return act();
      });
    };
    return {
      turn: (signal) => this.#turn(state, wish, wait, signal),
      told: (quotas) => {
        heard = quotas;
      },
      answered: async (usage, usd) => {
        const spent = await end(() => state.answered(wish, flight, { usage, usd }));
        if (spent) this.#options.onSpent(spent);
      },
      failed: async (error) => {
        await end(() => {
          state.failed(flight);
          if (error?.kind === 'limited' && error.after !== undefined) state.pause(wish.name, error.after);
        });
      },
    };
  }

  async #turn(state: State, wish: Wish, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds / 1000, signal);
    if (wish.rates.requests === undefined) return;
    const go = () => state.together(() => state.mayGo(wish));
    for (let wait = await go(); wait > 0; wait = await go())
      await sleep((wait * (0.5 + this.#options.random())) / 1000, signal);
  }

  #wish({ name, provider, model, price }: Target, body: JsonObject, bytes: number, bounds: Bounds): Wish {
    const input = Math.ceil(bytes / BYTES);
    const output = Number(body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens ?? ANSWER);
    const most = costOf(price, { input, output: Number.isFinite(output) ? output : ANSWER }, this.#options.now());
    return {
      name,
      provider: provider.name,
      model,
      project: this.project,
      rates: this.#ratesOf(name, provider.name),
      tokens: input,
      usd: most ?? this.#unpriced(name),
      budgets: this.#options.budgets,
      longest: bounds.maxWait * 1000,
      lasts: bounds.timeout * 1000,
    };
  }

  /** Counted as nothing where nobody has set a budget. Throws a Failure (78) where somebody has: it could not be kept. */
  #unpriced(name: string): number {
    const { budgets } = this.#options;
    const of = (['call', 'day', 'project'] as const).find((one) => budgets[one] !== undefined);
    if (of === undefined) return 0;
    throw new Failure(
      EXIT.config,
      `cannot enforce the budget (${of}=${budgets[of]}): the price of ${name} is unknown`,
      {
        hint: 'add its price to models.json, or use a model with a known price',
      },
    );
  }

  #ratesOf(name: string, provider: string): Rates {
    const { limits, rates } = this.#options;
    const own = Object.hasOwn(limits, name) ? limits[name] : Object.hasOwn(limits, provider) ? limits[provider] : {};
    const [requests, tokens] = [own?.requests, own?.tokens].map((text) =>
      text === undefined ? undefined : readRate(text),
    );
    return { ...(requests && { requests }), ...(tokens && { tokens }), ...rates };
  }

  /** A call has failed with all its attempts. */
  gaveUp({ name }: Target, error: AttemptFailed): void {
    if (BROKEN.has(error.kind) && error.answered !== NOBODY) this.#options.state?.broke(name, error.kind);
  }
}

/** Seconds until a limit of which nothing is left is there again: who asks before is refused. */
function usedUpFor(quotas: readonly Quota[]): number {
  const used = quotas.filter(({ limit = 0, remaining }) => limit > 0 && remaining === 0);
  return Math.max(0, ...used.map(({ reset = 0 }) => reset));
}

/** Stands for the status of an answer that was not asked for: the breaker's own word is no failure of the server. */
const NOBODY = 0;

const FREE: Pass = { turn: async () => {}, told: () => {}, answered: async () => {}, failed: async () => {} };

function refusedHere(
  { name }: Wish,
  admission: Extract<Admission, { let: 'not' }>,
  budgets: GateOptions['budgets'],
): AttemptFailed {
  if (admission.why === 'broken') {
    const { kind, wait } = admission.open;
    const seconds = wait / 1000;
    return new AttemptFailed(
      kind as Kind,
      `cannot complete: ${name} has failed several times and gets no requests for another ${Math.ceil(seconds)} s`,
      { after: seconds, retry: true, answered: NOBODY },
    );
  }
  if (admission.why === 'limited')
    return new AttemptFailed(
      'limited',
      admission.of === 'pause'
        ? `cannot complete: ${name} asks to wait longer than --max-wait allows`
        : `cannot complete: the limit of ${admission.of} for ${name} is used up for longer than --max-wait allows`,
      { retry: false, hint: 'see --max-wait' },
    );
  const budget = admission.of === 'day' ? 'of the day' : 'of the project';
  return new AttemptFailed(
    'spent',
    `cannot complete: the budget ${budget} ($${budgets[admission.of]}) does not allow another answer: $${admission.spent.toFixed(4)} spent`,
    { hint: 'see ai-complete --costs' },
  );
}
