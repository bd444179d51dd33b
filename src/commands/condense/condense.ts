// One conversation made to fit.
import { type Conversation, headOf } from '../../lib/formats/conversation.ts';
import { EXIT, Failure, placeOf } from '../../lib/ir/failure.ts';
import type { JsonObject } from '../../lib/ir/json.ts';
import { counterFor } from '../../lib/tokens/count.ts';
import { Memory } from './digest/memory.ts';
import { floorOf } from './floor.ts';
import { type Bounds, type Choice, type Chosen, choose } from './fold.ts';
import { Layout } from './layout.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { makePlan, makeTightPlan, type Plan } from './plan.ts';
import { meansOf, type Policy } from './policy.ts';
import { Sizes } from './sizes.ts';
import { DEFAULT } from './strategies/table.ts';
import { readTranscript, type Transcript } from './transcript.ts';

export type OnOverflow = 'truncate' | 'compact' | 'error';

/** undefined: the conversation fits as it is. Throws a Failure (1) with the floor where nothing makes it fit, or (65) where it cannot be read. */
export function condense(
  conversation: Conversation,
  policy: Policy,
  bounds: Bounds,
  onOverflow: OnOverflow,
): Outcome | undefined {
  const transcript = readTranscript(conversation);
  const layout = layoutOf(conversation, transcript, policy);
  const choice = choose(layout, bounds);
  if (choice.is === 'fits') return undefined;
  const plan = planFor(layout, choice) ?? overflow(conversation, layout, bounds, choice, onOverflow);
  return outcomeOf(transcript, layout.sizes, carrying(plan, choice.scale));
}

function layoutOf(conversation: Conversation, transcript: Transcript, policy: Policy): Layout {
  const { head, messages } = headOf(conversation);
  const counter = counterFor(head.model ?? answeredBy(transcript), conversation.format.name);
  const fixed = messages.reduce((sum, message) => sum + counter.message(message), counter.head(head));
  return new Layout(transcript, new Sizes(transcript, counter), policy, conversation.format.name, fixed);
}

/** The model that answered last, where no head names one. */
const answeredBy = ({ entries }: Transcript): string | undefined =>
  entries.findLast(({ message }) => message?.by?.model)?.message?.by?.model;

function planFor(layout: Layout, choice: Exclude<Choice, { is: 'fits' }>): Plan | undefined {
  if (choice.is === 'chosen') return lastPlan(layout, choice.all, choice.grows);
  return layout.policy.window ? makeTightPlan(layout, layout.transcript.entries.length, choice.limit) : undefined;
}

/** The plan that stands, and before it those that its memory was written by. */
function lastPlan(layout: Layout, all: readonly Chosen[], grows: boolean): Plan | undefined {
  const memory = grows ? Memory.growing() : undefined;
  let plan: Plan | undefined;
  for (const { frontier, limit } of all) plan = makePlan(layout, frontier, limit, memory);
  return plan;
}

/** The strategies that were asked for do not suffice. */
function overflow(
  conversation: Conversation,
  layout: Layout,
  bounds: Bounds,
  choice: Choice,
  onOverflow: OnOverflow,
): Plan {
  const more = onOverflow === 'error' ? undefined : meansOf(onOverflow === 'compact' ? DEFAULT : ['window']);
  const { policy } = layout;
  const wider = more && {
    ...policy,
    trims: [...new Set([...policy.trims, ...more.trims])],
    digest: policy.digest || more.digest,
    window: true,
  };
  const needs = wider !== undefined && (!policy.window || more?.digest !== policy.digest);
  if (needs) {
    const again = layoutOf(conversation, layout.transcript, wider);
    const second = choose(again, { ...bounds, trigger: bounds.budget });
    const plan = second.is === 'fits' ? undefined : planFor(again, second);
    if (plan) return plan;
  }
  void choice;
  const place = placeOf(conversation.rolled ?? conversation.head?.rec ?? conversation.items[0]?.rec);
  throw new Failure(EXIT.no, `cannot fit ${Math.floor(bounds.budget)} tokens: ${floorOf(layout)}`, { place });
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
