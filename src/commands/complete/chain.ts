// One answer, from the model that was asked for or from one of its fallbacks.
import type { Conversation } from '../../lib/conversion/gather.ts';
import { Failure } from '../../lib/failure/failure.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { AttemptFailed, type Kind, ToldInPart } from '../../lib/providers/errors.ts';
import { deadline } from '../../lib/providers/http.ts';
import { overflowIn } from '../../lib/providers/overflow.ts';
import type { Reply } from './answer.ts';
import { type Answered, type Ask, ask } from './ask.ts';
import { asked } from './default-model.ts';
import { made } from './made.ts';
import { type Named, namesOf } from './named.ts';
import type { Session } from './session.ts';
import { type Target, targetOf } from './target.ts';

/** Why the answer is not that of the first model. */
interface Left {
  readonly model: string;
  readonly why: Kind;
}

export async function chained(conversation: Conversation, session: Session, onDelta: Ask['onDelta']): Promise<Reply> {
  const { timeout } = session.options;
  const { signal, clear } = deadline(timeout, session.context.signal);
  try {
    return await new Chain(conversation, session, signal, onDelta).run();
  } finally {
    clear();
  }
}

class Chain {
  readonly #conversation: Conversation;
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #onDelta: Ask['onDelta'];
  readonly #left: Left[] = [];

  constructor(conversation: Conversation, session: Session, signal: AbortSignal, onDelta: Ask['onDelta']) {
    this.#conversation = conversation;
    this.#session = session;
    this.#signal = signal;
    this.#onDelta = onDelta;
  }

  async run(): Promise<Reply> {
    const { first, fallbacks } = namesOf(this.#conversation, this.#session);
    let target = this.#target(await asked(first, this.#session));
    let rest = fallbacks.map((name) => () => this.#target(name));
    for (;;) {
      try {
        return this.#made(target, await this.#ask(target));
      } catch (error) {
        if (!(error instanceof AttemptFailed) || error instanceof ToldInPart) throw error;
        const next = this.#after(error, target, rest);
        if (next === undefined) throw error;
        this.#session.note(`${error.message}; falling back to ${next.target.name}`);
        this.#left.push({ model: target.name, why: error.kind });
        ({ target, rest } = next);
      }
    }
  }

  #target(named: Named): Target {
    const { settings, context, options, targets } = this.#session;
    const key = `${this.#conversation.decided && this.#conversation.format.name} ${named.at ?? ''} ${named.name}`;
    const known = targets.get(key);
    if (known) return known;
    const made = targetOf(named, this.#conversation, { settings, context, baseUrl: options.baseUrl });
    targets.set(key, made);
    return made;
  }

  async #ask(target: Target, conversation = this.#conversation): Promise<Answered> {
    try {
      return await ask({ conversation, target, signal: this.#signal, onDelta: this.#onDelta }, this.#session);
    } catch (error) {
      const tooLong = error instanceof AttemptFailed && error.kind === 'overflow' && !(error instanceof ToldInPart);
      if (!tooLong || !this.#session.options.condense || conversation !== this.#conversation) throw error;
      const limit = overflowIn(error.answered ?? 400, error.message)?.limit ?? target.facts?.context;
      const { condensed } = await import('./condensed.ts');
      this.#session.note(`${error.message}; shortening it with ai-condense`);
      return this.#ask(target, await condensed(conversation, limit, this.#session.context));
    }
  }

  /** The next model that this error is a reason to ask. One without a key is passed over. */
  #after(error: AttemptFailed, failed: Target, rest: readonly (() => Target)[]) {
    for (const [at, make] of rest.entries()) {
      const target = make();
      if (!mayAnswer(error.kind, failed, target)) continue;
      try {
        target.credential();
      } catch (missing) {
        if (!(missing instanceof Failure)) throw missing;
        this.#session.note(`${target.name} is skipped: ${missing.message}`);
        continue;
      }
      return { target, rest: rest.slice(at + 1) };
    }
    return undefined;
  }

  #made(target: Target, { reply, attempts, usd, cached }: Answered): Reply {
    const more: JsonObject = {
      ...(attempts > 1 && { attempts }),
      ...(cached && { cached: true }),
      ...(this.#left.length > 0 && { instead_of: this.#left.map((one) => ({ ...one })) }),
    };
    return { message: made(reply, target, usd, more), format: target.format };
  }
}

/** Whether another model may answer what this one did not: never what would be refused anywhere. */
function mayAnswer(kind: Kind, failed: Target, target: Target): boolean {
  const elsewhere = target.provider.name !== failed.provider.name || target.base !== failed.base;
  switch (kind) {
    case 'overflow':
      return (target.facts?.context ?? 0) > (failed.facts?.context ?? 0);
    case 'spent':
      return elsewhere;
    case 'key':
    case 'refused':
    case 'filtered':
      return false;
    default:
      return elsewhere || target.model !== failed.model;
  }
}
