// From a choice to a plan: a budget is filled, a conversation that grows is gone through.
import type { JsonObject } from '../../lib/ir/json.ts';
import { Memory } from './digest/memory.ts';
import type { Choice, Chosen } from './fold.ts';
import { findFrontier } from './frontier.ts';
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
export function carrying(plan: Plan, scale: number): Plan {
  if (scale === 1) return plan;
  const digests = plan.digests.map((message) => ({
    ...message,
    meta: { condensed: { ...(message.meta?.condensed as JsonObject), scale } },
  }));
  return { ...plan, digests };
}
