// What is written of one conversation.
import type { JsonObject } from '../../lib/ir/json.ts';
import type { Message } from '../../lib/ir/types.ts';
import { modelNamed } from '../../lib/models/catalogue.ts';
import { costOf } from '../../lib/models/cost.ts';
import type { Sizes } from './sizes.ts';
import type { Tally } from './tally.ts';

export interface Count extends Omit<Tally, 'head' | 'all' | 'last' | 'format' | 'toPrice'> {
  /** Answers of which nobody knows what they cost. */
  readonly unpriced: number;
  readonly sizes: Sizes | undefined;
  readonly window: number | undefined;
}

export interface CountOptions {
  readonly model?: string;
  readonly window?: number;
  readonly now: number;
  /** Counts tokens; without it they are not wanted. */
  readonly measure: ((tally: Tally, model: string | undefined) => Sizes) | undefined;
}

export function countOf(tally: Tally, options: CountOptions): Count {
  const { head: _head, all: _all, last: _last, format: _format, toPrice, ...rest } = tally;
  const model = options.model ?? tally.model;
  const prices = toPrice.map((message) => priceOf(message, model, tally.provider, options.now));
  const known = prices.filter((usd) => usd !== undefined);
  return {
    ...rest,
    ...(model !== undefined && { model }),
    usd: tally.usd + known.reduce((sum, usd) => sum + usd, 0),
    unpriced: prices.length - known.length,
    sizes: options.measure?.(tally, model),
    window: options.window ?? (model === undefined ? undefined : factsOf(model, tally.provider)?.context),
  };
}

/** What an answer has cost that says what it took, by the catalogue. */
function priceOf({ by, usage }: Message, model: string | undefined, provider: string | undefined, now: number) {
  const id = by?.model ?? model;
  if (id === undefined || usage === undefined) return undefined;
  return costOf(factsOf(id, by?.provider ?? provider)?.price, usage, now);
}

/** Of the provider that made the answers, if it is known to serve the model; else of any. `PROVIDER/MODEL` is understood. */
function factsOf(model: string, provider: string | undefined) {
  const slash = model.indexOf('/');
  const named = slash > 0 ? modelNamed(model.slice(slash + 1), model.slice(0, slash)) : undefined;
  return named ?? (provider === undefined ? undefined : modelNamed(model, provider)) ?? modelNamed(model);
}

/** As a record. */
export function countRecord(count: Count): JsonObject {
  const { used, roles, sizes, window, stop, model, provider } = count;
  const tokens = sizes?.context;
  return {
    type: 'count',
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    turns: count.turns,
    steps: count.steps,
    messages: count.messages,
    calls: count.calls,
    open_calls: count.open,
    failed_calls: count.failed,
    roles: Object.fromEntries(
      [...roles].map(([role, { messages }]) => [
        role,
        { messages, ...(sizes && { tokens: sizes.roles.get(role) ?? 0 }) },
      ]),
    ),
    ...(sizes && { head_tokens: sizes.head, exact: sizes.exact }),
    context: {
      ...(tokens !== undefined && { tokens }),
      ...(window !== undefined && { window }),
      ...(tokens !== undefined && window !== undefined && { share: Number((tokens / window).toFixed(4)) }),
    },
    used: {
      input_tokens: used.input,
      cache_read_tokens: used.cacheRead,
      cache_write_tokens: used.cacheWrite,
      output_tokens: used.output,
    },
    usd: Number(count.usd.toPrecision(12)),
    ...(count.unpriced > 0 && { unpriced_answers: count.unpriced }),
    ...(stop !== undefined && { stop }),
  };
}
