// From a choice to a plan: a budget is filled, a conversation that grows is gone through.
import type { JsonObject } from '../../lib/json/values.ts';
import { Memory } from './digest/memory.ts';
import type { Choice, Chosen } from './fold.ts';
import { type Frontier, findFrontier } from './frontier.ts';
import type { Layout } from './layout.ts';
import { makePlan, makeTightPlan, type Plan } from './plan.ts';

/** The plan that a choice asks for; undefined: none fits. */
export function planFor(layout: Layout, choice: Exclude<Choice, { is: 'fits' }>): Plan | undefined {
  if (choice.is === 'chosen' && !choice.grows) return filledPlan(layout, choice.all[0] as Chosen);
  if (choice.is === 'chosen') return lastPlan(layout, choice.all);
  return layout.policy.window ? makeTightPlan(layout, layout.transcript.entries.length, choice.limit) : undefined;
}

/** How full a budget is to be, and how often a digest that says less than was planned makes room for more of the end. */
const FULL = 0.96;
const REFILLS = 3;

/** How often less than the limit is aimed at, where what was promised was too little. */
const LOWER = 12;

function filledPlan(layout: Layout, chosen: Chosen): Plan | undefined {
  const first = fittingPlan(layout, chosen);
  return first && filled(layout, chosen.limit, first.frontier, first.plan);
}

interface Made {
  readonly frontier: Frontier;
  readonly plan: Plan;
}

/** The size of the whole conversation after a plan for its beginning. */
const sizeAfter = (layout: Layout, { tokens, end }: Plan): number =>
  tokens + layout.sizes.sum(end, layout.transcript.entries.length);

/** What is not over yet is trimmed less than was expected: then less is aimed at. */
function fittingPlan(layout: Layout, { frontier: first, limit }: Chosen): Made | undefined {
  const end = layout.transcript.entries.length;
  let frontier: Frontier | undefined = first;
  for (let i = 1; i <= LOWER && frontier; i++) {
    for (const one of [frontier, { ...frontier, since: end }]) {
      const plan = makePlan(layout, one, limit);
      if (plan && sizeAfter(layout, plan) <= limit) return { frontier: one, plan };
    }
    frontier = findFrontier(layout, end, limit * (1 - i / (LOWER + 2)));
  }
  return undefined;
}

function filled(layout: Layout, limit: number, first: Frontier, made: Plan): Plan {
  const end = layout.transcript.entries.length;
  const sizeOf = (plan: Plan): number => sizeAfter(layout, plan);
  let [frontier, plan] = [first, made];
  for (let i = 0; i < REFILLS && layout.policy.digest; i++) {
    if (sizeOf(plan) >= FULL * limit) return plan;
    const next = findFrontier(layout, end, limit, digestIn(plan, layout));
    const fuller = next && next.position < frontier.position ? makePlan(layout, next, limit) : undefined;
    if (next === undefined || fuller === undefined || sizeOf(fuller) <= sizeOf(plan) || sizeOf(fuller) > limit) break;
    [frontier, plan] = [next, fuller];
  }
  for (let i = 0; i < REFILLS && sizeOf(plan) < FULL * limit && areSmall(layout, plan.dropped - 1, limit); i++) {
    const fuller = makePlan(layout, frontier, limit, undefined, (limit - sizeOf(plan)) * (1 - i / REFILLS));
    if (fuller && sizeOf(fuller) > sizeOf(plan) && sizeOf(fuller) <= limit) plan = fuller;
  }
  return plan;
}

/** Of the limit: larger messages need not fill what is left, since a larger budget could have something else there. */
const SMALL = 0.05;

function areSmall(layout: Layout, at: number, limit: number): boolean {
  const { from, to } = layout.step(at) ?? { from: 0, to: 0 };
  for (let i = from; i < to; i++) if (layout.sizes.tokens(i) > SMALL * limit) return false;
  return to > from;
}

const digestIn = ({ digests }: Plan, { sizes }: Layout): number =>
  digests.reduce((sum, digest) => sum + sizes.counter.message(digest), 0);

/** The plan that stands, and before it those that its memory was written by. */
function lastPlan(layout: Layout, all: readonly Chosen[]): Plan | undefined {
  const memory = Memory.growing();
  let plan: Plan | undefined;
  for (const { frontier, limit, most } of all) plan = makePlan(layout, frontier, limit, memory, 0, most);
  return plan;
}

/** The scale goes along with the digests. */
export function carrying(plan: Plan, scale: number): Plan {
  if (scale === 1) return plan;
  const digests = plan.digests.map((message) => ({
    ...message,
    meta: { condensed: { ...(message.meta?.condensed as JsonObject), scale } },
  }));
  return { ...plan, digests };
}
