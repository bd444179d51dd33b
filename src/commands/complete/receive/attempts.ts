// Sends a request until there is a reply: the cache, the limits that processes share, the retries, the exchanges, the ledger.

import type { Delta } from '../../../lib/conversation/delta.ts';
import type { Message } from '../../../lib/conversation/types.ts';
import { AttemptFailed } from '../../../lib/providers/errors.ts';
import { exchange, type Outcome, type Recorded, readRecordedReply } from '../../../lib/providers/exchange.ts';
import { quotasIn } from '../../../lib/providers/pause.ts';
import { retrying } from '../../../lib/providers/retry.ts';
import { authorizeRequest, tokenClient } from '../request/authorize.ts';
import type { ApiRequest } from '../request/build.ts';
import type { Gate, Pass } from '../request/gate.ts';
import { createMask, secretsOf } from '../request/secrets.ts';
import type { Run } from '../run.ts';
import type { Target } from '../select/target.ts';
import { costOfReply, emitDeltas, type OnDelta, type Received } from './reply.ts';

/** Sends the request until there is a reply. Throws AttemptFailed when the retries are used up, or cannot help. */
export async function receiveReply(
  request: ApiRequest,
  target: Target,
  run: Run,
  signal: AbortSignal,
  onDelta: OnDelta | undefined,
): Promise<Received> {
  const cached = run.cache?.find(target, request);
  const gate = await run.gate();
  if (cached) return readCached(cached, target, request, onDelta, gate);
  const text = JSON.stringify(request.body);
  const headers = await authorizeRequest(request, text, target, run.now, tokenClient(run.context));
  const mask = createMask(secretsOf(target, headers));
  const attempts = new Attempts(target, request, { text, headers, mask }, run, gate, signal, onDelta);
  const { outcome, usd } = await attempts.run();
  run.cache?.keep(target, request, outcome.recorded);
  const { provider, format, model } = target;
  const question = { provider: provider.name, api: format.name, model, streamed: onDelta !== undefined };
  run.recordExchange?.({ ...question, request: request.body }, outcome.recorded, mask);
  return { message: request.restoreNames(outcome.reply), attempts: attempts.count, usd, cached: false };
}

function readCached(
  recorded: Recorded,
  target: Target,
  { restoreNames }: ApiRequest,
  onDelta: OnDelta | undefined,
  gate: Gate,
): Received {
  const { provider, model, format, endpoint } = target;
  const message = restoreNames(readRecordedReply(recorded, provider.name, format, endpoint, undefined));
  emitDeltas(message, onDelta);
  gate.state?.enter({ provider: provider.name, model, project: gate.project }, message.usage ?? {}, 0, true);
  return { message, attempts: 0, usd: 0, cached: true };
}

/** What is sent: the body as text, the headers with the credential, and what masks the credential in errors. */
interface Sent {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mask: (text: string) => string;
}

/** The attempts of one request. */
class Attempts {
  readonly #target: Target;
  readonly #request: ApiRequest;
  readonly #sent: Sent;
  readonly #run: Run;
  readonly #gate: Gate;
  readonly #signal: AbortSignal;
  readonly #onDelta: OnDelta | undefined;
  count = 0;

  constructor(
    target: Target,
    request: ApiRequest,
    sent: Sent,
    run: Run,
    gate: Gate,
    signal: AbortSignal,
    onDelta: OnDelta | undefined,
  ) {
    this.#target = target;
    this.#request = request;
    this.#sent = sent;
    this.#run = run;
    this.#gate = gate;
    this.#signal = signal;
    this.#onDelta = onDelta;
  }

  async run(): Promise<{ outcome: Outcome; usd: number | undefined }> {
    const { options, random, note, pressure } = this.#run;
    const policy = {
      retries: options.retries,
      maxWait: options['max-wait'],
      random,
      signal: this.#signal,
      onWait: (failed: AttemptFailed, seconds: number) => {
        if (failed.kind === 'limited' || failed.kind === 'busy') pressure.refused += 1;
        note(`${failed.message}; retrying in ${seconds.toFixed(1)} s`);
      },
    };
    try {
      return await retrying((nth) => this.#attempt(nth), policy);
    } catch (error) {
      if (error instanceof AttemptFailed) this.#gate.recordGivingUp(this.#target, error);
      throw error;
    }
  }

  async #attempt(nth: number): Promise<{ outcome: Outcome; usd: number | undefined }> {
    this.count = nth + 1;
    const { body } = this.#request;
    const pass = await this.#gate.enter(this.#target, body, this.#sent.text.length, this.#run.options);
    try {
      await pass.waitForTurn(this.#signal);
      const outcome = await this.#exchange(nth, pass);
      const usd = costOfReply(outcome.reply, this.#target, this.#run.now());
      await pass.recordAnswer(outcome.reply.usage ?? {}, usd);
      return { outcome, usd };
    } catch (error) {
      await pass.recordFailure(error instanceof AttemptFailed ? error : undefined);
      throw error;
    }
  }

  async #exchange(nth: number, pass: Pass): Promise<Outcome> {
    const { provider, format, endpoint } = this.#target;
    const { trace, now, patience, env: proxies } = this.#run;
    const { text: body, headers, mask } = this.#sent;
    const span = trace?.begin(this.#target, this.#request, nth);
    const onDelta = this.#onDelta && ((delta: Delta) => this.#onDelta?.(restoreName(delta, this.#request)));
    try {
      const outcome = await exchange({
        provider: provider.name,
        mask,
        format,
        endpoint,
        now,
        call: { url: this.#request.url, headers, body, signal: this.#signal, patience, proxies },
        onAnswer: (answer) => {
          span?.answered(answer.status, answer.headers);
          pass.noteQuotas(quotasIn(answer.headers, now()));
        },
        ...(onDelta && { onDelta }),
      });
      span?.end(outcome.reply);
      // Some servers do not stream, though they are asked to.
      if (!outcome.recorded.streamed) emitDeltas(outcome.reply, onDelta);
      return outcome;
    } catch (error) {
      span?.fail(error);
      throw error;
    }
  }
}

/** A delta that begins a tool call, with the tool's name in the conversation. */
function restoreName(delta: Delta, { restoreNames }: ApiRequest): Delta {
  if (delta.name === undefined) return delta;
  const call: Message['parts'][number] = { type: 'tool_call', id: delta.id ?? '', name: delta.name };
  const [part] = restoreNames({ role: 'assistant', parts: [call] }).parts;
  return part?.type === 'tool_call' ? { ...delta, name: part.name } : delta;
}
