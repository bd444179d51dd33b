// Admits each attempt to a provider by the state that all processes share: circuit breaker, rate limits, budgets, ledger. Without a state, all are admitted.
import type { Limits } from '../../../lib/config/types.ts';
import type { Usage } from '../../../lib/conversation/types.ts';
import { EXIT, Failure } from '../../../lib/failure/failure.ts';
import type { JsonObject } from '../../../lib/json/values.ts';
import { costOf } from '../../../lib/models/cost.ts';
import { AttemptFailed, type Kind } from '../../../lib/providers/errors.ts';
import type { Quota } from '../../../lib/providers/pause.ts';
import { sleep } from '../../../lib/providers/retry.ts';
import { readRate } from '../../../lib/state/limits.ts';
import type { Admission, Budgets, Rates, Spent, State, Wish } from '../../../lib/state/state.ts';
import type { CompleteOptions } from '../options.ts';
import type { Target } from '../select/target.ts';

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

/** An admitted attempt. */
export interface Pass {
  /** Resolves when the rate limits allow it to be sent. */
  waitForTurn(signal: AbortSignal): Promise<void>;
  /** Notes what the server reports of its rate limits; stored at the end of the attempt, so that no answer waits for it. */
  noteQuotas(quotas: readonly Quota[]): void;
  /** Enters the answer in the ledger. */
  recordAnswer(usage: Usage, usd: number | undefined): Promise<void>;
  /** Releases the attempt. */
  recordFailure(error: AttemptFailed | undefined): Promise<void>;
}

/** Failures that open the circuit breaker. A server that cannot be reached costs nothing to ask, and may be back the next moment. */
const BREAKING = new Set<Kind>(['busy', 'server', 'silent']);

/** Estimates: bytes of a request for each token; tokens of an answer that nothing limits. */
const BYTES_PER_TOKEN = 4;
const ANSWER_TOKENS = 4096;

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
  async enter(
    target: Target,
    body: JsonObject,
    bytes: number,
    bounds: Pick<CompleteOptions, 'max-wait' | 'timeout'>,
  ): Promise<Pass> {
    const { state, budgets } = this.#options;
    const wish = this.#wish(target, body, bytes, bounds);
    if (budgets.call !== undefined && wish.usd > budgets.call)
      throw new AttemptFailed(
        'spent',
        `cannot complete: an answer of ${wish.name} may cost $${wish.usd.toFixed(4)}, but the budget per call is $${budgets.call}`,
        { hint: 'lower --max-tokens, or raise the budget' },
      );
    if (state === undefined) return UNLIMITED;
    const admission = await state.together(() => state.admit(wish));
    if (admission.let === 'not') throw notAdmitted(wish, admission, budgets);
    return this.#pass(state, wish, admission);
  }

  #pass(state: State, wish: Wish, { flight, wait }: Extract<Admission, { let: 'in' }>): Pass {
    let open = true;
    let reported: readonly Quota[] = [];
    const end = async <T>(act: () => T): Promise<T | undefined> => {
      if (!open) return undefined;
      open = false;
      return state.together(() => {
        state.told(wish.name, reported);
        const used = secondsUntilReset(reported);
        if (used > 0 && used * 1000 <= wish.longest) state.pause(wish.name, used);
        return act();
      });
    };
    return {
      waitForTurn: (signal) => this.#waitForTurn(state, wish, wait, signal),
      noteQuotas: (quotas) => {
        reported = quotas;
      },
      recordAnswer: async (usage, usd) => {
        const spent = await end(() => state.answered(wish, flight, { usage, usd }));
        if (spent) this.#options.onSpent(spent);
      },
      recordFailure: async (error) => {
        await end(() => {
          state.failed(flight);
          if (error?.kind === 'limited' && error.after !== undefined) state.pause(wish.name, error.after);
        });
      },
    };
  }

  async #waitForTurn(state: State, wish: Wish, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds / 1000, signal);
    if (wish.rates.requests === undefined) return;
    const go = () => state.together(() => state.mayGo(wish));
    for (let wait = await go(); wait > 0; wait = await go())
      await sleep((wait * (0.5 + this.#options.random())) / 1000, signal);
  }

  #wish(
    { name, provider, model, price }: Target,
    body: JsonObject,
    bytes: number,
    bounds: Pick<CompleteOptions, 'max-wait' | 'timeout'>,
  ): Wish {
    const input = Math.ceil(bytes / BYTES_PER_TOKEN);
    const output = Number(body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens ?? ANSWER_TOKENS);
    const most = costOf(
      price,
      { input, output: Number.isFinite(output) ? output : ANSWER_TOKENS },
      this.#options.now(),
    );
    return {
      name,
      provider: provider.name,
      model,
      project: this.project,
      rates: this.#ratesOf(name, provider.name),
      tokens: input,
      usd: most ?? this.#unpriced(name),
      budgets: this.#options.budgets,
      longest: bounds['max-wait'] * 1000,
      lasts: bounds.timeout * 1000,
    };
  }

  /** Zero without a budget. Throws a Failure (78) with one: it could not be kept. */
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

  /** Tells the circuit breaker that a request has failed after all its attempts. */
  recordGivingUp({ name }: Target, error: AttemptFailed): void {
    if (BREAKING.has(error.kind) && error.answered !== NOT_SENT) this.#options.state?.broke(name, error.kind);
  }
}

/** Seconds until the last of the used-up limits is reset: an earlier request would be refused. */
function secondsUntilReset(quotas: readonly Quota[]): number {
  const used = quotas.filter(({ limit = 0, remaining }) => limit > 0 && remaining === 0);
  return Math.max(0, ...used.map(({ reset = 0 }) => reset));
}

/** The status of a request that was not sent: a refusal by the breaker is no failure of the server. */
const NOT_SENT = 0;

const UNLIMITED: Pass = {
  waitForTurn: async () => {},
  noteQuotas: () => {},
  recordAnswer: async () => {},
  recordFailure: async () => {},
};

function notAdmitted(
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
      { after: seconds, retry: true, answered: NOT_SENT },
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
