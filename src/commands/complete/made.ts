// A reply with what is known of its making, as its `_meta` will say it.
import type { JsonObject } from '../../lib/ir/json.ts';
import { writeUsage } from '../../lib/ir/meta.ts';
import type { Message } from '../../lib/ir/types.ts';
import { costOf } from '../../lib/models/cost.ts';
import type { Target } from './target.ts';

export type Maker = Pick<Target, 'provider' | 'model' | 'facts' | 'format'>;

/** USD; undefined where the price is not known, or the server did not count. */
export function priceOf({ usage }: Message, { facts }: Maker, now: number): number | undefined {
  return usage && costOf(facts?.price, usage, now);
}

/** The message that says who made it, why it stopped, what it took and what that cost; and `more`. */
export function made(reply: Message, maker: Maker, usd: number | undefined, more: JsonObject = {}): Message {
  const { provider, model, facts, format } = maker;
  const by = { provider: provider.name, api: format.name, model: reply.by?.model ?? model };
  const cost = usd === undefined ? { usd: null, why: whyUnpriced(reply, facts) } : { usd: Number(usd.toPrecision(12)) };
  const meta: JsonObject = {
    ...by,
    ...(reply.id !== undefined && { id: reply.id }),
    ...(reply.stop && { stop: { ...reply.stop } }),
    ...(reply.usage && { usage: writeUsage(reply.usage) }),
    cost,
    ...more,
    ...reply.meta,
  };
  return { ...reply, by, meta };
}

function whyUnpriced({ usage }: Message, facts: Maker['facts']): string {
  if (usage === undefined) return 'the server did not count the tokens';
  return facts?.price === undefined ? 'no price is known' : 'not all its rates are known';
}
