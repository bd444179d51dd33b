// What becomes of each entry: decided from the frontier, and from nothing that came after it had to move there.
import type { Message } from '../../lib/conversation/types.ts';

import { clipResults } from './clip.ts';
import { Kept } from './copies.ts';
import { Memory } from './digest/memory.ts';
import { EIGHTHS, type Frontier } from './frontier.ts';
import type { Layout, Trimmed } from './layout.ts';
import { digestRoom, type Room, shareOut } from './room.ts';
import type { Step } from './transcript.ts';

/** An entry stays, changes, or goes. `by` has the strategies that did it. */
export type Fate =
  | { readonly do: 'keep' }
  | { readonly do: 'change'; readonly message: Message; readonly by: readonly string[] }
  | { readonly do: 'drop'; readonly by: readonly string[] };

export interface Plan {
  /** One for each entry before `end`; what follows stays. */
  readonly fates: readonly Fate[];
  readonly end: number;
  /** What is remembered of what goes, and the entry that it stands before. */
  readonly digests: readonly Message[];
  readonly before: number;
  /** What dropped entries left: `[0, to)`, without what stays. */
  readonly dropped: number;
  /** Tokens of the entries before `end`, the digest and the head. */
  readonly tokens: number;
}

const KEEP: Fate = { do: 'keep' };

/**
 * The plan for what came before the frontier had to move. It shares out `limit` tokens and takes at most `most`, or is undefined. `memory` has what earlier plans of
 * the same conversation remembered. `extra`: tokens beyond what the frontier promised, for more of the trimmed steps.
 */
export function makePlan(
  layout: Layout,
  frontier: Frontier,
  limit: number,
  memory?: Memory,
  extra = 0,
  most = limit,
): Plan | undefined {
  const planner = new Planner(layout, frontier.since, limit, memory ?? new Memory(1), frontier.digest, most);
  if (memory) return planner.plan(frontier.position);
  const since = frontier.size + extra - sumOf(layout, frontier.since, layout.transcript.entries.length);
  return planner.plan(frontier.position, since, extra);
}

/** Tokens of what may go between two entries. */
function sumOf(layout: Layout, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += layout.tokens(at);
  return sum;
}

/** The plan where no frontier fits: everything trimmed that can be, the last step alone, or not even that. */
export function makeTightPlan(layout: Layout, end: number, limit: number): Plan | undefined {
  const planner = (): Planner => new Planner(layout, end, limit, new Memory(1));
  return planner().tight(true) ?? planner().tight(false);
}

/** The plan where trims do not suffice: everything is trimmed that can be, and the oldest steps go. */
export const makeShortPlan = (layout: Layout, end: number, limit: number): Plan | undefined =>
  new Planner(layout, end, limit, new Memory(1)).short() ?? makeTightPlan(layout, end, limit);

/** The plan with nothing that may go. */
export const leastPlan = (layout: Layout): Plan =>
  new Planner(layout, layout.transcript.entries.length, Number.POSITIVE_INFINITY, new Memory(1)).least();

/** The plan that leaves everything as it is. */
export const NOTHING: Plan = { fates: [], end: 0, digests: [], before: -1, dropped: 0, tokens: 0 };

class Planner {
  readonly #layout: Layout;
  readonly #end: number;
  /** What is shared out, and what may not be passed. */
  readonly #limit: number;
  readonly #most: number;
  readonly #fates: Fate[];
  readonly #room: Room;
  readonly #memory: Memory;
  #tokens: number;
  /** What stays whole supersedes what came before it. */
  readonly #copies: Kept | undefined;

  constructor(
    layout: Layout,
    end: number,
    limit: number,
    memory: Memory,
    digest = Number.POSITIVE_INFINITY,
    most = limit,
  ) {
    this.#most = most;
    this.#layout = layout;
    this.#end = end;
    this.#limit = limit;
    this.#memory = memory;
    this.#tokens = layout.head + layout.pinnedTokens(end);
    this.#room = shareOut(limit - this.#tokens, digest);
    this.#fates = Array.from({ length: end }, () => KEEP);
    this.#copies = layout.policy.trims.some(({ name }) => name === 'superseded') ? new Kept(layout) : undefined;
  }

  /** `fill`: what the plan was promised, and may use to the last token. */
  plan(position: number, fill?: number, extra = 0): Plan | undefined {
    const at = Math.ceil(position / EIGHTHS);
    this.#keepWhole(at);
    this.#clipAt(position);
    const from = this.#trimBefore(Math.floor(position / EIGHTHS), this.#room.trimmed + extra);
    return this.#finish(from, at, fill);
  }

  /** Only what must stay, the last step trimmed; without `work` not even that. */
  tight(work: boolean): Plan | undefined {
    const [from, kept] = this.#shrink(work);
    return this.#finish(from, kept, this.#limit);
  }

  /** Everything trimmed, as many of the latest steps as there is room for. */
  short(): Plan | undefined {
    const kept = this.#keptFrom;
    this.#keepWhole(kept);
    const free = this.#limit - this.#tokens;
    const digest = this.#layout.policy.digest ? this.#room.digest + this.#room.requests : 0;
    const from = this.#trimBefore(kept, free - digest, true);
    return this.#finish(from, kept, this.#limit);
  }

  /** Not even a digest. */
  least(): Plan {
    const [from] = this.#shrink(false);
    return { fates: this.#fates, end: this.#end, dropped: from, tokens: this.#tokens, digests: [], before: -1 };
  }

  /** Where nobody asked for anything, the last step is all that there is. */
  #shrink(work: boolean): readonly [from: number, kept: number] {
    const kept = this.#keptFrom;
    this.#keepWhole(kept);
    const room = work || this.#layout.firstAsk < 0 ? 0 : Number.NEGATIVE_INFINITY;
    return [this.#trimBefore(kept, room), kept];
  }

  get #keptFrom(): number {
    return Math.min(this.#layout.keptFrom(this.#end), this.#layout.openFrom(this.#end));
  }

  /** Entries from `at` on stay whole. */
  #keepWhole(at: number): void {
    for (let i = at; i < this.#end; i++) this.#tokens += this.#layout.tokens(i);
    for (let i = this.#end - 1; i >= at; i--) this.#copies?.take(i, this.#layout.message(i));
  }

  /** A trimmed step holds copies of what nobody shortened in it. */
  #takeCopies(from: number, to: number): void {
    for (let i = to - 1; i >= from; i--) {
      const fate = this.#fates[i];
      if (fate?.do !== 'drop') this.#copies?.take(i, fate?.do === 'change' ? fate.message : this.#layout.message(i));
    }
  }

  /** The entry that the frontier goes through keeps a part of its results. */
  #clipAt(position: number): void {
    const eighth = position % EIGHTHS;
    const at = Math.floor(position / EIGHTHS);
    const message = this.#layout.message(at);
    if (eighth === 0 || message === undefined) return;
    const { counter } = this.#layout.sizes;
    const clipped = clipResults(message, 1 - eighth / EIGHTHS, 0, counter);
    this.#fates[at] = { do: 'change', message: clipped, by: ['clip'] };
    this.#tokens += counter.message(clipped);
  }

  /**
   * Trims the entries before `at` in at most `room` tokens; what is older goes. Returns where the trimmed ones begin. `asked`: the room is also for
   * what must be there: the last step, and what the user asked for in the turn that they begin in.
   */
  #trimBefore(at: number, room: number, asked = false): number {
    const layout = this.#layout;
    const { window, trims } = layout.policy;
    const last = layout.lastStep(this.#end);
    const mandatory = Math.min(layout.stepStart(at), last?.kind === 'work' && room >= 0 ? last.from : at);
    let left = window ? room : Number.POSITIVE_INFINITY;
    let from = at;
    while (from > 0) {
      const start = layout.stepStart(from - 1);
      // Else what must be there takes none of the room: then a larger budget never has less of it.
      const size = from > mandatory && !asked ? 0 : this.#trimmedSize(start, from);
      const ask = asked ? this.#askSize(start) : 0;
      if (from <= mandatory && (size + ask > left || (window && trims.length === 0 && !asked))) break;
      for (let i = start; i < from; i++) this.#trim(i);
      this.#takeCopies(start, from);
      left -= size;
      from = start;
    }
    for (let i = 0; i < from; i++)
      if (layout.message(i) && !layout.isPinned(i)) this.#fates[i] = { do: 'drop', by: ['window'] };
    this.#keepAskOf(from);
    return from;
  }

  #trimmedSize(from: number, to: number): number {
    let size = 0;
    for (let i = from; i < to; i++) size += this.#layout.isPinned(i) ? 0 : this.#trimmed(i).tokens;
    return size;
  }

  #trimmed(at: number): Trimmed {
    const layout = this.#layout;
    const past = layout.isPast(at, this.#end);
    const trimmed = layout.trimmed(at, past);
    const copies = this.#copies;
    if (copies === undefined || trimmed.message === undefined) return trimmed;
    const by = [...trimmed.by];
    const superseded = layout.policy.trims.filter(({ name }) => name === 'superseded');
    const message = layout.apply(trimmed.message, at, past, superseded, by, (call, part) =>
      copies.supersede(call, part),
    );
    if (message === undefined || message === trimmed.message) return trimmed;
    return { message, by, tokens: layout.sizes.counter.message(message) };
  }

  #trim(at: number): void {
    const layout = this.#layout;
    const before = layout.message(at);
    if (before === undefined || layout.isPinned(at)) return;
    const { message, tokens, by } = this.#trimmed(at);
    this.#tokens += tokens;
    if (message === before) this.#fates[at] = KEEP;
    else this.#fates[at] = message ? { do: 'change', message, by } : { do: 'drop', by };
  }

  /** The user's words that steps from there on need, where they stand before them. */
  #askOf(from: number): Step | undefined {
    const layout = this.#layout;
    const ask = layout.lastAsk(from);
    const there = ask === undefined || layout.isPinned(ask.from) || (from < this.#end && layout.step(from)?.asks);
    return there ? undefined : ask;
  }

  #askSize(from: number): number {
    const ask = this.#askOf(from);
    return ask ? this.#trimmedSize(ask.from, ask.to) : 0;
  }

  /** Steps whose turn began before them keep what the user asked for. */
  #keepAskOf(from: number): void {
    const ask = this.#askOf(from);
    for (let i = ask?.from ?? 0; i < (ask?.to ?? 0); i++) if (this.#fates[i]?.do === 'drop') this.#trim(i);
  }

  #finish(from: number, whole: number, fill: number | undefined): Plan | undefined {
    if (this.#tokens > this.#most) return undefined;
    const layout = this.#layout;
    if (layout.policy.digest) this.#remember(from, whole, fill);
    const digests = layout.policy.digest ? this.#memory.messages : [];
    return { fates: this.#fates, end: this.#end, dropped: from, tokens: this.#tokens, digests, before: this.#place() };
  }

  #remember(from: number, whole: number, fill: number | undefined): void {
    const layout = this.#layout;
    const { sizes } = layout;
    const lost = Math.max(0, sizes.charsBefore(whole) - 4 * this.#trimmedSize(from, Math.min(whole, this.#end)));
    const { tokens, requests } = digestRoom(this.#room, lost, layout.saidBefore(from));
    const most = fill === undefined ? Math.min(this.#most - this.#tokens, tokens) : fill - this.#tokens;
    const room = { tokens: lost > 0 ? most : 0, requests };
    const gone = (at: number) =>
      layout.message(at) !== undefined && !layout.isPinned(at) && this.#fates[at]?.do !== 'keep';
    this.#tokens += this.#memory.remember(layout, { from, whole, gone, kept: () => this.#kept() }, room);
  }

  *#kept(): Generator<Message> {
    for (const [at, fate] of this.#fates.entries()) {
      const message = fate.do === 'change' ? fate.message : fate.do === 'keep' ? this.#layout.message(at) : undefined;
      if (message) yield message;
    }
  }

  /** Behind what stays of the beginning. */
  #place(): number {
    const layout = this.#layout;
    const first = layout.transcript.steps.find(({ from, kind }) => !layout.isPinned(from) && kind !== 'system');
    return first?.from ?? 0;
  }
}
