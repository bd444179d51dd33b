// The prices of @pydantic/genai-prices, as they hold on one day.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Model, Price, Rates } from '../../src/lib/models/types.ts';

interface Tiered {
  readonly base: number;
  readonly tiers: readonly { readonly start: number; readonly price: number }[];
}

type GenaiRates = { readonly [unit: string]: number | Tiered | undefined };

interface Conditional {
  readonly constraint?: {
    readonly type: string;
    readonly start_date?: string;
    readonly start_time?: string;
    readonly end_time?: string;
  };
  readonly prices: GenaiRates;
}

interface GenaiModel {
  readonly id: string;
  readonly name?: string;
  readonly context_window?: number;
  readonly deprecated?: boolean;
  readonly prices: GenaiRates | readonly Conditional[];
}

interface Genai {
  findProvider(options: { providerId: string }): { readonly models: readonly GenaiModel[] } | undefined;
  calcPrice(usage: object, id: string, options: { providerId: string }): { readonly model: GenaiModel } | null;
}

export const loadGenai = async (root: string): Promise<Genai> =>
  import(pathToFileURL(join(root, 'dist/index.js')).href);

export type GenaiFacts = Pick<Model, 'context' | 'price' | 'deprecated'>;

/** What it says of the model that `id` matches; undefined if none does. */
export function factsOf(genai: Genai, provider: string, id: string, day: string): GenaiFacts | undefined {
  const found = genai.calcPrice({ input_tokens: 1 }, id, { providerId: provider });
  return found ? readFacts(found.model, day) : undefined;
}

/** All of a provider's chat models: those with a price for input and for output. */
export function readGenai(genai: Genai, provider: string, day: string): Model[] {
  const models = genai.findProvider({ providerId: provider })?.models ?? [];
  return models
    .map((model) => ({ id: model.id, provider: '', ...(model.name && { name: model.name }), ...readFacts(model, day) }))
    .filter((model) => model.price?.input !== undefined && model.price.output !== undefined);
}

function readFacts({ context_window, deprecated, prices }: GenaiModel, day: string): GenaiFacts {
  return {
    ...(context_window && { context: context_window }),
    ...(deprecated && { deprecated: true }),
    price: readPrice(Array.isArray(prices) ? prices : [{ prices: prices as GenaiRates }], day),
  };
}

/** The last entry that has begun is the price; entries for a time of day stand beside it. */
function readPrice(entries: readonly Conditional[], day: string): Price | undefined {
  const dated = entries.filter(({ constraint }) => constraint?.type !== 'time_of_date');
  const begun = dated.filter(({ constraint }) => (constraint?.start_date ?? '') <= day).at(-1);
  if (begun === undefined) return undefined;
  const hours = entries
    .filter(({ constraint }) => constraint?.type === 'time_of_date')
    .map(({ constraint, prices }) => ({
      from: constraint?.start_time?.slice(0, 5) ?? '',
      to: constraint?.end_time?.slice(0, 5) ?? '',
      ...rates(prices, () => 0),
    }));
  const edges = new Set(
    Object.values(begun.prices).flatMap((p) => (isTiered(p) ? p.tiers.map((tier) => tier.start) : [])),
  );
  const tiers = [...edges].sort((a, b) => a - b).map((above) => ({ above, ...rates(begun.prices, () => above) }));
  return { ...rates(begun.prices, () => 0), ...(tiers.length > 0 && { tiers }), ...(hours.length > 0 && { hours }) };
}

const isTiered = (price: number | Tiered | undefined): price is Tiered => typeof price === 'object';

function rates(prices: GenaiRates, edge: () => number): Rates {
  const at = (unit: string): number | undefined => {
    const price = prices[unit];
    if (!isTiered(price)) return price;
    return price.tiers.filter((tier) => tier.start <= edge()).at(-1)?.price ?? price.base;
  };
  const all = {
    input: at('input_mtok'),
    output: at('output_mtok'),
    cache_read: at('cache_read_mtok'),
    cache_write: at('cache_write_mtok'),
    cache_write_1h: at('cache_write_1h_mtok'),
  };
  return Object.fromEntries(Object.entries(all).filter(([, rate]) => rate !== undefined));
}
