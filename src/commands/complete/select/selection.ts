// The model that a conversation is sent to, and after a failure the fallback that may do better.
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { Failure } from '../../../lib/failure/failure.ts';
import { AttemptFailed, type Kind, ToldInPart } from '../../../lib/providers/errors.ts';
import type { Run } from '../run.ts';
import { findModel, readModelNames } from './model-name.ts';
import { type ModelName, resolveTarget, type Target } from './target.ts';

/** A model that was asked before the one that answered, and why it did not. */
export interface FailedModel {
  readonly model: string;
  readonly why: Kind;
}

export class Selection {
  readonly #run: Run;
  #target: Target;
  #fallbacks: readonly (() => Target)[];
  readonly failed: FailedModel[] = [];

  private constructor(run: Run, target: Target, fallbacks: readonly (() => Target)[]) {
    this.#run = run;
    this.#target = target;
    this.#fallbacks = fallbacks;
  }

  /** Throws a Failure where no model is named and none is found, and for a model that is not known. */
  static async open(conversation: Conversation, run: Run): Promise<Selection> {
    const { first, fallbacks } = readModelNames(conversation, run);
    const target = resolveOnce(await findModel(first, run), conversation, run);
    return new Selection(
      run,
      target,
      fallbacks.map((name) => () => resolveOnce(name, conversation, run)),
    );
  }

  get target(): Target {
    return this.#target;
  }

  /** Selects the next model that may answer after this error. Throws the error where there is none; a model without a key is skipped. */
  fallBack(error: unknown): void {
    if (!(error instanceof AttemptFailed) || error instanceof ToldInPart) throw error;
    for (const [at, resolve] of this.#fallbacks.entries()) {
      const target = resolve();
      if (!mayAnswer(error.kind, this.#target, target) || !this.#hasCredential(target)) continue;
      this.#run.note(`${error.message}; falling back to ${target.name}`);
      this.failed.push({ model: this.#target.name, why: error.kind });
      this.#target = target;
      this.#fallbacks = this.#fallbacks.slice(at + 1);
      return;
    }
    throw error;
  }

  #hasCredential(target: Target): boolean {
    try {
      target.credential();
      return true;
    } catch (missing) {
      if (!(missing instanceof Failure)) throw missing;
      this.#run.note(`${target.name} is skipped: ${missing.message}`);
      return false;
    }
  }
}

function resolveOnce(name: ModelName, conversation: Conversation, run: Run): Target {
  const key = `${conversation.decided && conversation.format.name} ${name.at ?? ''} ${name.name}`;
  const target = run.targets.get(key) ?? resolveTarget(name, conversation, run);
  run.targets.set(key, target);
  return target;
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
