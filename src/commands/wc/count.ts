// What is written of one conversation.
import type { JsonObject } from '../../lib/ir/json.ts';
import { modelNamed } from '../../lib/models/catalogue.ts';
import type { Tally } from './tally.ts';

export interface Count extends Omit<Tally, 'head' | 'all' | 'last'> {
  /** What the next request takes of the window. */
  readonly tokens: number | undefined;
  readonly window: number | undefined;
}

export interface CountOptions {
  readonly model?: string;
  readonly window?: number;
}

export function countOf(tally: Tally, options: CountOptions): Count {
  const { head: _head, all: _all, last, ...rest } = tally;
  const model = options.model ?? tally.model;
  const facts = model === undefined ? undefined : factsOf(model, tally.provider);
  return {
    ...rest,
    ...(model !== undefined && { model }),
    tokens: last?.after.length === 0 ? last.tokens : undefined,
    window: options.window ?? facts?.context,
  };
}

/** Of the provider that made the answers, if it is known to serve the model; else of any. `PROVIDER/MODEL` is understood. */
function factsOf(model: string, provider: string | undefined) {
  const slash = model.indexOf('/');
  const named = slash > 0 ? modelNamed(model.slice(slash + 1), model.slice(0, slash)) : undefined;
  return named ?? (provider === undefined ? undefined : modelNamed(model, provider)) ?? modelNamed(model);
}

/** As a record. */
export function countRecord(count: Count): JsonObject {
  const { used, roles, tokens, window, stop, model, provider } = count;
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
    roles: Object.fromEntries([...roles].map(([role, { messages }]) => [role, { messages }])),
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
