// What tokens cost.
import type { Usage } from '../conversation/types.ts';
import type { Model, Price, Provider, Rates } from './types.ts';
import { splitVariant } from './variant.ts';

const MILLION = 1e6;

/**
 * The price of one request in USD; `now` in milliseconds since 1970, since some prices follow the clock. Undefined where a rate that it needs is
 * not known. Cached tokens without a rate of their own cost what others cost.
 */
export function costOf(price: Price | undefined, usage: Usage, now: number): number | undefined {
  if (price === undefined) return undefined;
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = usage;
  const rates = ratesOf(price, input + cacheRead + cacheWrite, now);
  const known =
    (rates.input !== undefined || input + cacheRead + cacheWrite === 0) && (rates.output !== undefined || output === 0);
  if (!known) return undefined;
  const prompt = rates.input ?? 0;
  const read = cacheRead * (rates.cache_read ?? prompt);
  const written = cacheWrite * (rates.cache_write ?? prompt);
  return (input * prompt + read + written + output * (rates.output ?? 0)) / MILLION;
}

const FREE: Price = { input: 0, output: 0 };

/** What is priced: a Choice, or as much of one. */
interface Priced {
  readonly provider: Provider;
  readonly model: string;
  readonly facts?: Model | undefined;
  readonly addressed?: boolean;
}

/**
 * The price of a model at a provider, whose base URL may be another. A gateway's `:free` costs nothing, listed or not. What one of the usual
 * servers of this machine serves costs nothing, unless it says `cloud`; of a server that was named by its address nobody knows, even on this
 * machine: it may pass on to others.
 */
export function priceAt({ provider, model, facts, addressed }: Priced, base = provider.url): Price | undefined {
  if (facts?.price !== undefined) return facts.price;
  if (provider.kind === 'gateway' && splitVariant(model).variant === ':free') return FREE;
  const here = provider.kind === 'local' && !provider.keyless && !addressed && isLoopback(base);
  return here && !/[:-]cloud$/.test(model) ? FREE : undefined;
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' || hostname === '[::1]' || hostname === '0.0.0.0' || /^127(?:\.\d+){3}$/.test(hostname)
  );
}

/** The rates for a prompt of so many tokens at that time. A dearer tier holds for the whole request. */
export function ratesOf(price: Price, prompt: number, now: number): Rates {
  const { tiers, hours } = price;
  if (tiers === undefined && hours === undefined) return price;
  const tier = tiers?.filter(({ above }) => prompt > above).sort((a, b) => b.above - a.above)[0];
  return { ...price, ...(hours && windowAt(hours, now)), ...tier };
}

function windowAt(hours: NonNullable<Price['hours']>, now: number): Rates | undefined {
  const time = new Date(now).toISOString().slice(11, 16);
  return hours.find(({ from, to }) => (from < to ? from <= time && time < to : from <= time || time < to));
}
