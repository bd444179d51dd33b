// Variants of a model (`:free`, `:nitro`): the same weights on other terms. They are sent as they were written, and have a price of their own.
import type { Model } from './types.ts';

/** OpenRouter's (https://openrouter.ai/docs/guides/routing/model-variants); other gateways took some of them over. */
const VARIANT = /(?::(?:free|nitro|floor|extended|thinking|exacto|online|beta|batch)|-batch)$/;

interface Varied {
  readonly base: string;
  /** With its mark: `:free`; empty for the model itself. */
  readonly variant: string;
}

export function splitVariant(id: string): Varied {
  const [variant = ''] = VARIANT.exec(id) ?? [];
  return { base: id.slice(0, id.length - variant.length), variant };
}

/** Those that may have another window than the model itself. */
const OTHER_WINDOW = new Set([':free', ':extended']);

/** What is known of a variant that the catalogue does not list: nothing of its price. */
export function variantOf(model: Model, id: string, variant: string): Model {
  const { price: _, disputed: _disputed, context, ...rest } = model;
  return {
    ...rest,
    id,
    ...(context !== undefined && !OTHER_WINDOW.has(variant) && { context }),
  };
}
