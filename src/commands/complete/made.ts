// A reply with what is known of its making, as its `_meta` will say it.

import { writeUsage } from '../../lib/conversation/meta.ts';
import type { Message } from '../../lib/conversation/types.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { costOf } from '../../lib/models/cost.ts';
import type { Target } from './target.ts';

type Maker = Pick<Target, 'provider' | 'model' | 'price' | 'format'>;

/** USD; undefined where the price is not known, or the server did not count. */
export function priceOf({ usage }: Message, { price }: Maker, now: number): number | undefined {
  return usage && costOf(price, usage, now);
}

/** The message that says who made it, why it stopped, what it took and what that cost; and `more`. */
export function made(reply: Message, maker: Maker, usd: number | undefined, more: JsonObject = {}): Message {
  const { provider, model, price, format } = maker;
  const by = { provider: provider.name, api: format.name, model: reply.by?.model ?? model };
  const cost = usd === undefined ? { usd: null, why: whyUnpriced(reply, price) } : { usd: Number(usd.toPrecision(12)) };
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

function whyUnpriced({ usage }: Message, price: Maker['price']): string {
  if (usage === undefined) return 'the server reported no token usage';
  return price === undefined ? 'the price is unknown' : 'not all of its rates are known';
}
