// One model asked: the cache, the limits that processes share, the retries, the exchanges, the ledger.

import type { Delta } from '../../lib/conversation/delta.ts';
import type { Message } from '../../lib/conversation/types.ts';
import type { Conversation } from '../../lib/conversion/gather.ts';
import { describe, Losses } from '../../lib/conversion/losses.ts';
import { AttemptFailed } from '../../lib/providers/errors.ts';
import { type Exchange, exchange, type Outcome, type Recorded } from '../../lib/providers/exchange.ts';
import { type Headers, quotasIn } from '../../lib/providers/pause.ts';
import { type Policy, retrying } from '../../lib/providers/retry.ts';
import { deltasOf } from './deltas.ts';
import type { Gate, Pass } from './gate.ts';
import { priceOf } from './made.ts';
import { readRecorded } from './recorded.ts';
import { authorised, type Request, requestFor } from './request.ts';
import { masker, scrub, secretsOf } from './secrets.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

export interface Ask {
  readonly conversation: Conversation;
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Called with each piece of the answer, where somebody wants it live. */
  readonly onDelta?: ((delta: Delta) => void) | undefined;
}

export interface Answered {
  readonly reply: Message;
  readonly attempts: number;
  /** USD; undefined where the price is not known. */
  readonly usd: number | undefined;
  readonly cached: boolean;
}

/** Asks until there is an answer, or none is to be had: then throws AttemptFailed. */
export async function ask({ conversation, target, signal, onDelta }: Ask, session: Session): Promise<Answered> {
  const losses = new Losses();
  const streamed = onDelta !== undefined;
  const { flags, options } = session;
  const request = requestFor(conversation, target, { streamed, cachePrompt: options.cachePrompt, flags }, losses);
  for (const loss of losses.real) session.noteOnce(describe(loss));
  const text = JSON.stringify(request.body);
  const cached = session.cache?.find(target, request);
  const gate = await session.gate();
  if (cached) return fromCache(cached, target, request, onDelta, gate);
  const asking = new Asking(target, request, text, session, gate, signal, onDelta);
  const { outcome, attempts, usd } = await asking.run();
  session.cache?.keep(target, request, outcome.recorded);
  const { provider, format, model } = target;
  const question = { provider: provider.name, api: format.name, model, streamed, request: request.body };
  session.record?.(question, outcome.recorded, asking.mask);
  return { reply: request.homeward(outcome.reply), attempts, usd, cached: false };
}

function fromCache(
  recorded: Recorded,
  target: Target,
  { homeward }: Request,
  onDelta: Ask['onDelta'],
  gate: Gate,
): Answered {
  const reply = homeward(readRecorded(recorded, target.provider.name, target.format, target.api, undefined));
  for (const delta of onDelta ? deltasOf(reply) : []) onDelta?.(delta);
  const { provider, model } = target;
  gate.state?.enter({ provider: provider.name, model, project: gate.project }, reply.usage ?? {}, 0, true);
  return { reply, attempts: 0, usd: 0, cached: true };
}

/** The attempts of one request. */
class Asking {
  readonly #target: Target;
  readonly #request: Request;
  readonly #text: string;
  readonly #session: Session;
  readonly #gate: Gate;
  readonly #signal: AbortSignal;
  readonly #onDelta: Ask['onDelta'];
  #headers: Record<string, string> = {};
  mask: (text: string) => string = scrub;

  constructor(
    target: Target,
    request: Request,
    text: string,
    session: Session,
    gate: Gate,
    signal: AbortSignal,
    onDelta: Ask['onDelta'],
  ) {
    this.#target = target;
    this.#request = request;
    this.#text = text;
    this.#session = session;
    this.#gate = gate;
    this.#signal = signal;
    this.#onDelta = onDelta;
  }

  async run(): Promise<{ outcome: Outcome; attempts: number; usd: number | undefined }> {
    this.#headers = await authorised(this.#request, this.#text, this.#target, this.#session);
    this.mask = masker(secretsOf(this.#target, this.#headers));
    let attempts = 0;
    const attempt = (nth: number) => {
      attempts = nth + 1;
      return this.#attempt(nth);
    };
    try {
      const { outcome, usd } = await retrying(attempt, this.#policy());
      return { outcome, attempts, usd };
    } catch (error) {
      if (error instanceof AttemptFailed) this.#gate.gaveUp(this.#target, error);
      throw error;
    }
  }

  #policy(): Policy {
    const { options, random, note } = this.#session;
    return {
      retries: options.retries,
      maxWait: options.maxWait,
      random,
      signal: this.#signal,
      onWait: (failed, seconds) => {
        if (failed.kind === 'limited' || failed.kind === 'busy') this.#session.pressure.refused += 1;
        note(`${failed.message}; retrying in ${seconds.toFixed(1)} s`);
      },
    };
  }

  async #attempt(nth: number): Promise<{ outcome: Outcome; usd: number | undefined }> {
    const pass = await this.#gate.enter(this.#target, this.#request.body, this.#text.length, this.#session.options);
    try {
      await pass.turn(this.#signal);
      const outcome = await this.#exchange(nth, pass);
      const usd = priceOf(outcome.reply, this.#target, this.#session.now());
      await pass.answered(outcome.reply.usage ?? {}, usd);
      return { outcome, usd };
    } catch (error) {
      await pass.failed(error instanceof AttemptFailed ? error : undefined);
      throw error;
    }
  }

  async #exchange(nth: number, pass: Pass): Promise<Outcome> {
    const { session, target } = { session: this.#session, target: this.#target };
    const span = session.trace?.begin(target, this.#request, nth);
    const wanted: Exchange = {
      provider: target.provider.name,
      mask: this.mask,
      format: target.format,
      api: target.api,
      now: session.now,
      call: {
        url: this.#request.url,
        headers: this.#headers,
        body: this.#text,
        signal: this.#signal,
        patience: session.patience,
        proxies: session.env,
      },
      onAnswer: ({ status, headers }) => {
        span?.answered(status, headers);
        pass.told(quotasIn(headers as Headers, session.now()));
      },
      ...(this.#onDelta && { onDelta: (delta) => this.#onDelta?.(namedAtHome(delta, this.#request)) }),
    };
    try {
      const outcome = await exchange(wanted);
      span?.end(outcome.reply);
      // Some servers do not stream, though they are asked to.
      if (!outcome.recorded.streamed) for (const delta of deltasOf(outcome.reply)) wanted.onDelta?.(delta);
      return outcome;
    } catch (error) {
      span?.fail(error);
      throw error;
    }
  }
}

/** A piece that begins a call, with the tool's name in the conversation. */
function namedAtHome(delta: Delta, { homeward }: Request): Delta {
  if (delta.name === undefined) return delta;
  const call = { type: 'tool_call', id: delta.id ?? '', name: delta.name } as const;
  const [part] = homeward({ role: 'assistant', parts: [call] }).parts;
  return part?.type === 'tool_call' ? { ...delta, name: part.name } : delta;
}
