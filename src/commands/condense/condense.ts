// One conversation made to fit.
import { type Conversation, headOf, type Item, messageOf } from '../../lib/formats/conversation.ts';
import { EXIT, Failure, placeOf } from '../../lib/ir/failure.ts';
import type { JsonObject } from '../../lib/ir/json.ts';
import { record } from '../../lib/ir/record.ts';
import type { Message } from '../../lib/ir/types.ts';
import { type Counter, counterFor } from '../../lib/tokens/count.ts';
import { Memory } from './digest/memory.ts';
import { floorOf } from './floor.ts';
import { type Bounds, type Choice, type Chosen, choose } from './fold.ts';
import { findFrontier } from './frontier.ts';
import { Layout } from './layout.ts';
import { imagesOf, type Limits, sizeBefore, sizeOf, withoutImages } from './limits.ts';
import { type Outcome, outcomeOf, untouched } from './outcome.ts';
import { makePlan, makeTightPlan, type Plan } from './plan.ts';
import { meansOf, type Policy } from './policy.ts';
import { Sizes } from './sizes.ts';
import { DEFAULT } from './strategies/table.ts';
import { condenseSystem } from './system.ts';
import { readTranscript, type Transcript } from './transcript.ts';

export type OnOverflow = 'truncate' | 'compact' | 'error';

/** A conversation as it came. */
export const subjectOf = (conversation: Conversation): Subject => ({
  conversation,
  transcript: readTranscript(conversation),
});

/** What is to be done with one conversation. */
export interface Task {
  readonly policy: Policy;
  readonly bounds: Bounds;
  readonly limits: Limits;
  /** Whether the system prompt is condensed too: where the conversation is too large, or anyway. */
  readonly system: 'never' | 'over' | 'always';
  readonly note: (text: string) => void;
  readonly onOverflow: OnOverflow;
}

/** undefined: the conversation fits as it is. Throws a Failure (1) with the floor where nothing makes it fit, or (65) where it cannot be read. */
export function condense(conversation: Conversation, task: Task): Outcome | undefined {
  const transcript = readTranscript(conversation);
  const images = task.limits.images ?? Number.POSITIVE_INFINITY;
  const given: Subject = { conversation, transcript: withoutImages(transcript, images) };
  checkImages(given, images);
  const before = new Condenser(given, task);
  const bare = task.system === 'always' || (task.system === 'over' && before.over);
  const condenser = bare ? new Condenser(withoutTalk(given), task) : before;
  if (bare) tellSaved(before, condenser, task);
  const outcome =
    condenser.outcome ?? (condenser.subject.transcript === transcript && !bare ? undefined : condenser.unchanged);
  const { bytes } = task.limits;
  return bytes === undefined ? outcome : withinBytes(condenser.subject, task, bytes, outcome);
}

/** A conversation as it is worked on: the head and some messages may have changed already. */
export interface Subject {
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  /** The head, where it changed. */
  readonly head?: Item;
}

function tellSaved(before: Condenser, after: Condenser, { note }: Task): void {
  const saved = before.tokensIn(before.unchanged) - after.tokensIn(after.unchanged);
  note(
    saved > 0 ? `the system prompt takes ${Math.round(saved)} tokens less` : 'the system prompt has nothing to spare',
  );
}

function checkImages({ conversation, transcript }: Subject, most: number): void {
  if (imagesOf(transcript) <= most) return;
  throw new Failure(EXIT.no, `cannot leave ${most} images`, { place: whereOf(conversation) });
}

/** Without what a system prompt can spare. */
function withoutTalk({ conversation, transcript }: Subject): Subject {
  const entries = transcript.entries.map((entry) => {
    const { message } = entry;
    if (message === undefined || (message.role !== 'system' && message.role !== 'developer')) return entry;
    const made = condenseSystem(message);
    return made === message ? entry : { ...entry, message: made, mended: true, by: ['system'] };
  });
  return { conversation, transcript: { ...transcript, entries }, head: headWithoutTalk(conversation) };
}

function headWithoutTalk(conversation: Conversation): Item | undefined {
  const { head: item, format } = conversation;
  const { head, messages } = headOf(conversation);
  const made = messages.map(condenseSystem);
  if (item === undefined || made.every((message, i) => message === messages[i])) return undefined;
  const { native, rest } = (item.identity?.format ?? format).writeHead(head, made, () => {});
  return rest.length > 0 ? undefined : { ...item, rec: record(native, item.rec) };
}

/** How often a smaller number of tokens is tried. */
const TRIES = 40;

/** Fewer images, then fewer and fewer tokens, until the bytes fit too. */
function withinBytes(given: Subject, task: Task, most: number, first: Outcome | undefined): Outcome | undefined {
  const { conversation } = given;
  if (first === undefined && sizeBefore(conversation) <= most) return undefined;
  let subject = given;
  let budget = task.bounds.budget;
  let condenser = new Condenser(subject, task);
  let outcome = first ?? condenser.unchanged;
  for (let tries = 0; tries < TRIES; tries++) {
    const size = sizeOf(outcome, conversation);
    if (size <= most) return outcome;
    const images = imagesOf(subject.transcript);
    if (images > 0) {
      const left = Math.min(images - 1, Math.floor((images * most) / size));
      subject = { ...given, transcript: withoutImages(subject.transcript, left) };
    } else budget = condenser.tokensIn(outcome) * Math.min(0.97, (0.99 * most) / size);
    condenser = new Condenser(subject, { ...task, bounds: { budget, trigger: budget } });
    outcome = fittingBytes(condenser, most) ?? condenser.unchanged;
  }
  throw new Failure(EXIT.no, `cannot fit ${most} bytes`, { place: whereOf(conversation) });
}

function fittingBytes(condenser: Condenser, most: number): Outcome | undefined {
  try {
    return condenser.outcome;
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== EXIT.no) throw error;
    const why = error.message.replace(/^[^:]*/, `cannot fit ${most} bytes`);
    throw new Failure(EXIT.no, why.replace(/stay takes (\d+)/, 'stay takes $1 tokens'), { place: error.place });
  }
}

const whereOf = ({ rolled, head, items }: Conversation): string | undefined =>
  placeOf(rolled ?? head?.rec ?? items[0]?.rec);

/** One subject under one task. */
export class Condenser {
  readonly subject: Subject;
  readonly #task: Task;
  readonly #counter: Counter;
  /** Tokens of the head. */
  readonly #fixed: number;
  readonly #layout: Layout;
  readonly #choice: Choice;

  constructor(subject: Subject, task: Task) {
    this.subject = subject;
    this.#task = task;
    const { conversation, transcript, head: changed } = subject;
    const { head, messages } = headOf(changed ? { ...conversation, head: changed } : conversation);
    this.#counter = counterFor(head.model ?? answeredBy(transcript), conversation.format.name);
    this.#fixed = messages.reduce((sum, message) => sum + this.#counter.message(message), this.#counter.head(head));
    this.#layout = this.#layoutFor(task.policy);
    this.#choice = choose(this.#layout, task.bounds);
  }

  get over(): boolean {
    return this.#choice.is !== 'fits';
  }

  /** What makes it fit; undefined: it fits. */
  get outcome(): Outcome | undefined {
    const choice = this.#choice;
    if (choice.is === 'fits') return this.#brokenIsLarger() ? this.unchanged : undefined;
    const plan = planFor(this.#layout, choice) ?? this.#overflow();
    return { ...outcomeOf(this.subject.transcript, this.#layout.sizes, carrying(plan, choice.scale)), ...this.#head };
  }

  /** The subject as it is, with what has changed in it already. */
  get unchanged(): Outcome {
    return { ...untouched(this.subject.transcript, this.#layout.sizes), ...this.#head };
  }

  /** What was left out to repair it would have been too much. */
  #brokenIsLarger(): boolean {
    const { entries } = this.subject.transcript;
    const mended = entries.filter((entry) => entry.mended && entry.by === undefined);
    if (mended.length === 0) return false;
    const sizeOf = (message: Message | undefined) => (message ? this.#counter.message(message) : 0);
    const more = mended.reduce((sum, { item, message }) => sum + sizeOf(messageOf(item)) - sizeOf(message), 0);
    return this.tokensIn(this.unchanged) + more > this.#task.bounds.trigger;
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

  get #head(): { head?: Item } {
    return this.subject.head ? { head: this.subject.head } : {};
  }

  #layoutFor(policy: Policy): Layout {
    const { conversation, transcript } = this.subject;
    const sizes = new Sizes(transcript, this.#counter);
    return new Layout(transcript, sizes, policy, conversation.format.name, this.#fixed);
  }

  /** The strategies that were asked for do not suffice. */
  #overflow(): Plan {
    const { bounds, policy, onOverflow } = this.#task;
    const wider = onOverflow === 'error' ? undefined : widened(policy, onOverflow);
    if (wider) {
      const again = this.#layoutFor(wider);
      const second = choose(again, { ...bounds, trigger: bounds.budget });
      const plan = second.is === 'fits' ? undefined : planFor(again, second);
      if (plan) return plan;
    }
    const place = whereOf(this.subject.conversation);
    if (onOverflow === 'error') {
      const hint = 'name more of them, or use --on-overflow truncate';
      const message = `cannot fit ${Math.floor(bounds.budget)} tokens: the strategies do not suffice`;
      throw new Failure(EXIT.no, message, { place, hint });
    }
    throw new Failure(EXIT.no, `cannot fit ${Math.floor(bounds.budget)} tokens: ${floorOf(this.#layout)}`, { place });
  }
}

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

function planFor(layout: Layout, choice: Exclude<Choice, { is: 'fits' }>): Plan | undefined {
  if (choice.is === 'chosen' && !choice.grows) return filledPlan(layout, choice.all[0] as Chosen);
  if (choice.is === 'chosen') return lastPlan(layout, choice.all);
  return layout.policy.window ? makeTightPlan(layout, layout.transcript.entries.length, choice.limit) : undefined;
}

/** How full a budget is to be, and how often a digest that says less than was planned makes room for more of the end. */
const FULL = 0.96;
const REFILLS = 3;

function filledPlan(layout: Layout, { frontier: first, limit }: Chosen): Plan | undefined {
  const end = layout.transcript.entries.length;
  const sizeOf = (made: Plan): number => made.tokens + layout.sizes.sum(made.end, end);
  let frontier = first;
  let plan = makePlan(layout, frontier, limit);
  for (let i = 0; i < REFILLS && plan !== undefined && layout.policy.digest; i++) {
    if (sizeOf(plan) >= FULL * limit) return plan;
    const next = findFrontier(layout, end, limit, digestIn(plan, layout));
    const fuller = next && next.position < frontier.position ? makePlan(layout, next, limit) : undefined;
    if (next === undefined || fuller === undefined || sizeOf(fuller) <= sizeOf(plan)) break;
    [frontier, plan] = [next, fuller];
  }
  for (let i = 0; i < REFILLS && plan !== undefined && sizeOf(plan) < FULL * limit; i++) {
    const fuller = makePlan(layout, frontier, limit, undefined, (limit - sizeOf(plan)) * (1 - i / REFILLS));
    if (fuller && sizeOf(fuller) > sizeOf(plan) && sizeOf(fuller) <= limit) plan = fuller;
  }
  return plan;
}

const digestIn = ({ digests }: Plan, { sizes }: Layout): number =>
  digests.reduce((sum, digest) => sum + sizes.counter.message(digest), 0);

/** The plan that stands, and before it those that its memory was written by. */
function lastPlan(layout: Layout, all: readonly Chosen[]): Plan | undefined {
  const memory = Memory.growing();
  let plan: Plan | undefined;
  for (const { frontier, limit } of all) plan = makePlan(layout, frontier, limit, memory);
  return plan;
}

/** The scale goes along with the digests. */
function carrying(plan: Plan, scale: number): Plan {
  if (scale === 1) return plan;
  const digests = plan.digests.map((message) => ({
    ...message,
    meta: { condensed: { ...(message.meta?.condensed as JsonObject), scale } },
  }));
  return { ...plan, digests };
}
