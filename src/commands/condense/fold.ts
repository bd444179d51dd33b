// Which prefix of the conversation the plan is made for. The answer follows from the messages alone: the same conversation and one message
// more gives the same plan, without anything remembered between two runs, until the trigger is passed again.

import type { Message } from '../../lib/conversation/types.ts';
import { isObject } from '../../lib/json/values.ts';
import { Calibration } from '../../lib/tokens/calibrate.ts';
import { type Frontier, findFrontier } from './frontier.ts';
import type { Layout } from './layout.ts';

/** Sizes in tokens as they are estimated; a limit is divided by the scale that reported usage gives. */
export interface Bounds {
  /** The size that the result must fit. */
  readonly budget: number;
  /** The size above which something is done. */
  readonly trigger: number;
  /** The size that is left where the conversation may grow from the budget to the trigger: at most the budget. */
  readonly batched: number;
}

export interface Chosen {
  readonly frontier: Frontier;
  /** What the plan shares out, and what it must keep to. In estimated tokens. */
  readonly limit: number;
  readonly most: number;
}

/**
 * `fits`: nothing is to be done. `chosen`: the frontiers that the conversation was condensed at, the last of which stands; more will follow them
 * where it `grows` up to a trigger. `none`: no frontier fits, and `limit` is what was asked for. `scale`: what estimates are multiplied by, from
 * the usage that was reported.
 */
export type Choice =
  | { readonly is: 'fits' }
  | { readonly is: 'chosen'; readonly all: readonly Chosen[]; readonly grows: boolean; readonly scale: number }
  | { readonly is: 'none'; readonly limit: number; readonly scale: number };

/** Whether a whole conversation is at or below the trigger. */
export function fits(layout: Layout, { trigger }: Bounds): boolean {
  if (trigger === Number.POSITIVE_INFINITY) return true;
  const end = layout.transcript.entries.length;
  const limit = trigger / scaleAt(layout, end);
  return sizeOf(layout, end, limit) <= limit;
}

/** Chooses for a whole conversation. What is left may be as large as the trigger: then there is nothing between them to wait for. */
export function choose(layout: Layout, bounds: Bounds): Choice {
  const end = layout.transcript.entries.length;
  if (bounds.trigger > bounds.batched) return replay(layout, bounds);
  const scale = scaleAt(layout, end);
  const limit = bounds.budget / scale;
  if (sizeOf(layout, end, limit) <= limit) return { is: 'fits' };
  const frontier = findFrontier(layout, end, limit);
  return frontier
    ? { is: 'chosen', all: [{ frontier, limit, most: limit }], grows: false, scale }
    : { is: 'none', limit, scale };
}

/** The size of the entries before `end`, or something above `enough`. */
function sizeOf(layout: Layout, end: number, enough: number): number {
  let size = layout.head + layout.pinnedTokens(end);
  for (let at = end - 1; at >= 0 && size <= enough; at--) size += layout.tokens(at);
  return size;
}

function scaleAt(layout: Layout, end: number): number {
  const calibration = new Calibrating(layout);
  for (let at = 0; at < end; at++) calibration.add(at);
  return calibration.scale;
}

/**
 * A long conversation need not be gone through from its beginning: wherever so many characters more have come for each token of the trigger, some
 * twenty times as much as goes at once, it is condensed anyway, and what it was before does not matter.
 */
const RESTART = 64;

/** Goes through the conversation as it grew: whenever it passed the trigger it was condensed, and grew on from there. */
function replay(layout: Layout, bounds: Bounds): Choice {
  const { steps } = layout.transcript;
  const begin = lastRestart(layout, RESTART * bounds.trigger);
  const calibration = new Calibrating(layout);
  const all: Chosen[] = [];
  let size = layout.head;
  let failed: number | undefined;
  for (const [i, step] of steps.entries()) {
    if (i + 1 < begin) continue;
    for (let at = step.from; at < step.to; at++) {
      if (i >= begin) size += layout.sizes.tokens(at);
      calibration.add(at);
    }
    const limit = bounds.trigger / calibration.scale;
    if (i + 1 === begin) size = sizeOf(layout, step.to, limit);
    if (size <= limit) continue;
    const most = bounds.budget / calibration.scale;
    const found =
      chosenAt(layout, step.to, bounds.batched / calibration.scale, most) ?? chosenAt(layout, step.to, most, most);
    failed = found ? undefined : most;
    if (found === undefined) continue;
    all.push(found);
    size = found.frontier.size;
  }
  const { scale } = calibration;
  if (failed !== undefined) return { is: 'none', limit: failed, scale };
  return all.length > 0 ? { is: 'chosen', all, grows: true, scale } : { is: 'fits' };
}

/** How many steps there are before the last place where the conversation is condensed anyway; 0 if there is none. */
function lastRestart({ transcript: { steps }, sizes }: Layout, every: number): number {
  let last = 0;
  let passed = 0;
  for (const [i, { to }] of steps.entries()) {
    const now = Math.floor(sizes.charsBefore(to) / every);
    if (now > passed) last = i + 1;
    passed = now;
  }
  return last;
}

function chosenAt(layout: Layout, end: number, limit: number, most: number): Chosen | undefined {
  const frontier = findFrontier(layout, end, limit);
  return frontier && { frontier: { ...frontier, since: end }, limit, most };
}

/** Usage is read where counts are estimates, and where a digest can carry the scale to the next run, so that it finds the same size. */
class Calibrating {
  readonly #layout: Layout;
  readonly #calibration = new Calibration();
  readonly #off: boolean;
  #carried: number | undefined;

  constructor(layout: Layout) {
    const { sizes, transcript, policy } = layout;
    this.#layout = layout;
    this.#off =
      sizes.counter.exact ||
      !policy.digest ||
      !transcript.entries.some(({ message }) => message?.usage || carriedScale(message));
  }

  add(at: number): void {
    const message = this.#off ? undefined : this.#layout.message(at);
    if (message === undefined) return;
    this.#carried ??= carriedScale(message);
    if (this.#carried === undefined) this.#calibration.add(message, this.#layout.sizes.tokens(at));
  }

  get scale(): number {
    return this.#off ? 1 : (this.#carried ?? this.#calibration.scale);
  }
}

/** The scale that an earlier digest was made with. */
function carriedScale(message: Message | undefined): number | undefined {
  const condensed = message?.meta?.condensed;
  return isObject(condensed) && typeof condensed.scale === 'number' ? condensed.scale : undefined;
}
