// What is written of one conversation.

import { spentTogether } from '../../lib/conversation/subagent-costs.ts';
import type { Message } from '../../lib/conversation/types.ts';
import { isObject, type JsonObject } from '../../lib/json/values.ts';
import { modelNamed, providerNamed } from '../../lib/models/catalogue.ts';
import { costOf, priceAt } from '../../lib/models/cost.ts';
import type { Sizes } from './sizes.ts';
import type { Tally } from './tally.ts';

export interface Count extends Omit<Tally, 'head' | 'all' | 'last' | 'format' | 'toPrice' | 'silent' | 'agents'> {
  /** Answers of which nobody knows what they cost, those of sub-agents included. `usd` is what the others have. */
  readonly unpriced: number;
  readonly agents: { readonly conversations: number; readonly usd: number; readonly unpriced: number };
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
  const { head: _head, all: _messages, last: _last, format: _format, toPrice, silent, agents: all, ...rest } = tally;
  const model = options.model ?? tally.model;
  const prices = toPrice.map((message) => priceOf(message, model, tally.provider, options.now));
  const known = prices.filter((usd) => usd !== undefined);
  const agents = spentTogether('', all.values());
  return {
    ...rest,
    ...(model !== undefined && { model }),
    usd: tally.usd + agents.usd + known.reduce((sum, usd) => sum + usd, 0),
    unpriced: prices.length - known.length + silent + agents.unpriced,
    agents: { conversations: all.size, usd: agents.usd, unpriced: agents.unpriced },
    sizes: options.measure?.(tally, model),
    window: options.window ?? (model === undefined ? undefined : factsOf(model, tally.provider)?.context),
  };
}

/** What an answer has cost that says what it took, by the catalogue: of the provider that made it, where that is known. */
function priceOf({ by, usage, meta }: Message, model: string | undefined, made: string | undefined, now: number) {
  const id = by?.model ?? model;
  if (id === undefined || usage === undefined) return undefined;
  const name = by?.provider ?? made;
  if (name === undefined) return costOf(factsOf(id, undefined)?.price, usage, now);
  const facts = modelNamed(id, name);
  const provider = providerNamed(name);
  const noted = isObject(meta) && isObject(meta.cost) && meta.cost.usd === null;
  return costOf(provider && !noted ? priceAt({ provider, model: id, facts }) : facts?.price, usage, now);
}

/** Of the provider that made the answers, if it is known to serve the model; else of any. `PROVIDER/MODEL` is understood. */
function factsOf(model: string, provider: string | undefined) {
  const slash = model.indexOf('/');
  const named = slash > 0 ? modelNamed(model.slice(slash + 1), model.slice(0, slash)) : undefined;
  return named ?? (provider === undefined ? undefined : modelNamed(model, provider)) ?? modelNamed(model);
}

/** Whether nothing is known of what the answers cost. */
export const isUnknown = ({ usd, unpriced }: Pick<Count, 'usd' | 'unpriced'>): boolean => unpriced > 0 && usd === 0;

const agentsRecord = ({ conversations, usd, unpriced }: Count['agents']): JsonObject => ({
  conversations,
  usd: isUnknown({ usd, unpriced }) ? null : usd,
  ...(unpriced > 0 && { unpriced_answers: unpriced }),
});

/** As a record. */
export function countRecord(count: Count): JsonObject {
  const { used, roles, sizes, window, stop, model, provider, agents } = count;
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
    usd: isUnknown(count) ? null : Number(count.usd.toPrecision(12)),
    ...(count.unpriced > 0 && { unpriced_answers: count.unpriced }),
    ...(agents.conversations > 0 && { agents: agentsRecord(agents) }),
    ...(stop !== undefined && { stop }),
  };
}
