// One subject under one task: whether it fits, what makes it fit, and how small it can be.

import type { Message } from '../../lib/conversation/types.ts';
import { type Conversation, firstRecord, headOf, type Item } from '../../lib/conversion/gather.ts';
import { EXIT, Failure, placeOf } from '../../lib/failure/failure.ts';
import { type Counter, counterFor } from '../../lib/tokens/count.ts';
import { carrying, planFor } from './filling.ts';
import { floorOf } from './floor.ts';
import { type Bounds, type Choice, choose, fits } from './fold.ts';
import { Layout } from './layout.ts';
import type { Limits } from './limits.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { leastPlan, makeShortPlan, NOTHING, type Plan } from './plan.ts';
import { meansOf, type Policy } from './policy.ts';
import { Sizes } from './sizes.ts';
import { DEFAULT } from './strategies/table.ts';
import { mustAlternate, takingTurns } from './taking-turns.ts';
import type { Transcript } from './transcript.ts';

export type OnOverflow = 'truncate' | 'compact' | 'error';

/** What is to be done with one conversation. */
export interface Task {
  readonly policy: Policy;
  readonly bounds: Bounds;
  readonly limits: Limits;
  /** Whether the system prompt is condensed too: where the conversation is too large, or anyway. */
  readonly system: 'never' | 'over' | 'always';
  readonly note: (text: string) => void;
  /** Milliseconds since 1970: some prices follow the clock. */
  readonly now: () => number;
  readonly onOverflow: OnOverflow;
}

/** A conversation as it is worked on: the head and some messages may have changed already. */
export interface Subject {
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  /** The head, where it changed. */
  readonly head?: Item;
  /** What was counted of it. Tokens. */
  readonly counted: Map<Message, number>;
}

/** Where a conversation was read. */
export const whereOf = (conversation: Conversation): string | undefined => placeOf(firstRecord(conversation));

/** One subject under one task. */
export class Condenser {
  readonly subject: Subject;
  readonly #task: Task;
  readonly #counter: Counter;
  readonly #model: string | undefined;
  /** Tokens of the head. */
  readonly #fixed: number;
  readonly #layout: Layout;
  readonly #bounds: Bounds;
  #choice: Choice | undefined;

  constructor(subject: Subject, task: Task) {
    this.subject = subject;
    this.#task = task;
    const { conversation, transcript, head: changed } = subject;
    const { head, messages } = headOf(changed ? { ...conversation, head: changed } : conversation);
    this.#model = head.model ?? answeredBy(transcript);
    this.#counter = counterFor(this.#model, conversation.format.name);
    this.#fixed = messages.reduce((sum, message) => sum + this.#counter.message(message), this.#counter.head(head));
    this.#layout = this.#layoutFor(task.policy);
    this.#bounds = this.#counter.exact ? task.bounds : withoutRounding(task.bounds);
  }

  /** Whether nothing is to be done. */
  get fits(): boolean {
    return fits(this.#layout, this.#bounds);
  }

  /** What makes it fit. Throws a Failure (1) with the floor where nothing does. */
  get outcome(): Outcome {
    this.#choice ??= choose(this.#layout, this.#bounds);
    const choice = this.#choice;
    if (choice.is === 'fits') return this.unchanged;
    const plan = planFor(this.#layout, choice) ?? this.#wider(choice.scale);
    return plan ? this.#outcomeOf(carrying(plan, choice.scale)) : this.#tightest(choice.scale);
  }

  /** The smallest that it can be. */
  get least(): Outcome {
    return this.#outcomeOf(leastPlan(this.#widest));
  }

  /** The subject as it is, with what has changed in it already. */
  get unchanged(): Outcome {
    return this.#outcomeOf(NOTHING);
  }

  tokensIn({ fates, digests, transcript }: Outcome): number {
    const { sizes } = this.#layout;
    const changed = (at: number): number => {
      const fate = fates[at];
      if (fate?.do === 'drop' || transcript.entries[at]?.message === undefined) return 0;
      return fate?.do === 'change' ? this.#counter.message(fate.message) : sizes.tokens(at);
    };
    const kept = fates.reduce((sum, _, at) => sum + changed(at), this.#fixed);
    return digests.reduce((sum, digest) => sum + this.#counter.message(digest), kept);
  }

  /** Of the head and the entries before one, as they came. */
  tokensBefore(end: number): number {
    return this.#fixed + this.#layout.sizes.sum(0, end);
  }

  #outcomeOf(plan: Plan): Outcome {
    const { transcript, head, conversation } = this.subject;
    const outcome = outcomeOf(transcript, this.#layout.sizes, plan);
    const taken = mustAlternate(conversation.format.name) ? takingTurns(outcome) : outcome;
    return { ...taken, ...(head && { head }) };
  }

  #layoutFor(policy: Policy): Layout {
    const { conversation, transcript } = this.subject;
    const sizes = new Sizes(transcript, this.#counter, this.subject.counted);
    return new Layout(transcript, sizes, policy, { format: conversation.format.name, model: this.#model }, this.#fixed);
  }

  /** With the means of last resort, where they are allowed. */
  get #widest(): Layout {
    const { policy, onOverflow } = this.#task;
    const wider = onOverflow === 'error' ? undefined : widened(policy, onOverflow);
    return wider ? this.#layoutFor(wider) : this.#layout;
  }

  /** The strategies that were asked for do not suffice: with the means of last resort. */
  #wider(scale: number): Plan | undefined {
    const { transcript } = this.subject;
    const widest = this.#widest;
    if (widest === this.#layout) return undefined;
    const { batched, budget } = this.#bounds;
    const end = transcript.entries.length;
    return makeShortPlan(widest, end, batched / scale) ?? makeShortPlan(widest, end, budget / scale);
  }

  #tightest(scale: number): Outcome {
    const { bounds, onOverflow } = this.#task;
    const { least } = this;
    const size = this.tokensIn(least) * scale + (bounds.budget - this.#bounds.budget);
    if (size <= bounds.budget) return least;
    const place = whereOf(this.subject.conversation);
    const why = `cannot fit ${Math.floor(bounds.budget)} tokens: ${floorOf(this.#widest, size, scale)}`;
    const fitting = 'use a larger --budget, or --system to shorten the system prompt';
    const hint = onOverflow === 'error' ? 'name more strategies, or use --on-overflow truncate' : fitting;
    throw new Failure(EXIT.no, why, { place, hint });
  }
}

/** Estimates are added up in another order elsewhere. */
const withoutRounding = ({ budget, trigger, batched }: Bounds): Bounds => ({
  budget: budget - 1e-6,
  trigger: trigger - 1e-6,
  batched: batched - 1e-6,
});

/** The policy with the means of last resort; undefined if it has them all. */
function widened(policy: Policy, onOverflow: 'truncate' | 'compact'): Policy | undefined {
  const more = meansOf(onOverflow === 'compact' ? DEFAULT : ['window']);
  const digest = policy.digest || more.digest;
  if (policy.window && digest === policy.digest) return undefined;
  return { ...policy, trims: [...new Set([...policy.trims, ...more.trims])], digest, window: true };
}

/** The model that answered last, where no head names one. */
const answeredBy = ({ entries }: Transcript): string | undefined =>
  entries.findLast(({ message }) => message?.by?.model)?.message?.by?.model;
