// One row out of what the sources and the hand-kept files say of a model.
import type { JsonObject } from '../../src/lib/json/values.ts';
import { canonical } from '../../src/lib/models/canonical.ts';
import type { Modality, Model, Price, Rates } from '../../src/lib/models/types.ts';
import type { GenaiFacts } from './genai.ts';

interface Family {
  readonly match: string;
  readonly quality: number;
  readonly speed: number;
  readonly current?: boolean;
}

export interface Overrides {
  /** What families of models can do that no source says. */
  readonly capabilities: readonly { readonly match: string; readonly input?: Modality[]; readonly schema?: boolean }[];
  /** Fields that replace those of a row, or take them away (null). */
  readonly rows: { readonly [name: string]: JsonObject };
  readonly skip: readonly string[];
}

const TOLERANCE = 0.01;

/** The row of one source, with the prices of the other where they say more; where they differ both stay. */
export function merge(row: Model, other: GenaiFacts | undefined): Model {
  if (other === undefined) return { ...row, from: 'pi' };
  const price = mergePrice(row.price, other.price);
  const context = mergeContext(row, other.context);
  const disputed = { ...price.disputed, ...context.disputed };
  return {
    ...row,
    ...context.chosen,
    ...(price.chosen && { price: price.chosen }),
    ...(other.deprecated && { deprecated: true }),
    ...(Object.keys(disputed).length > 0 && { disputed }),
    from: 'pi+genai',
  };
}

interface Settled<T> {
  readonly chosen: T | undefined;
  readonly disputed?: JsonObject;
}

function mergePrice(ours: Price | undefined, theirs: Price | undefined): Settled<Price> {
  if (ours === undefined || theirs === undefined) return { chosen: ours ?? theirs };
  const clocked = theirs.hours?.some((window) => agree(window, ours));
  if (clocked) return { chosen: theirs };
  if (!agree(ours, theirs)) return { chosen: ours, disputed: { price: { genai: theirs as JsonObject } } };
  const { input, output, cache_read, cache_write, cache_write_1h } = { ...theirs, ...ours };
  return {
    chosen: { input, output, cache_read, cache_write, cache_write_1h, ...(ours.tiers && { tiers: ours.tiers }) },
  };
}

const agree = (a: Rates, b: Rates): boolean => near(a.input, b.input) && near(a.output, b.output);

function near(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

/** A context that ends where a dearer price begins is the edge of the price, if the other source knows a longer one. */
function mergeContext(row: Model, theirs: number | undefined): Settled<{ context?: number }> {
  const ours = row.context;
  if (theirs === undefined || ours === undefined || near(ours, theirs)) return { chosen: {} };
  const edge = row.price?.tiers?.some((tier) => tier.above === ours);
  if (edge && theirs > ours) return { chosen: { context: theirs }, disputed: { context: { pi: ours } } };
  return { chosen: {}, disputed: { context: { genai: theirs } } };
}

/** Adds what the hand-kept files say: rank, capabilities, corrections. `makers` has the makers' own models by canonical id. */
export function finish(
  row: Model,
  families: readonly Family[],
  overrides: Overrides,
  makers: ReadonlyMap<string, string>,
): Model {
  const name = canonical(row.id);
  const family = families.find(({ match }) => new RegExp(match).test(name));
  const input = new Set(row.input ?? []);
  let schema = row.schema;
  for (const capability of overrides.capabilities) {
    if (!new RegExp(capability.match).test(name)) continue;
    for (const kind of capability.input ?? []) input.add(kind);
    schema ??= capability.schema;
  }
  const own = `${row.provider}/${row.id}`;
  const as = makers.get(name);
  const dated = name !== row.id.toLowerCase().replaceAll('.', '-');
  const made = {
    ...row,
    ...(input.size > 0 && { input: [...input] }),
    ...(schema !== undefined && { schema }),
    ...(family && { quality: family.quality, speed: family.speed }),
    ...(family?.current && row.deprecated === undefined && !(as === own && dated) && { current: true }),
    ...(as !== undefined && as !== own && { as }),
    ...overrides.rows[own],
  };
  return Object.fromEntries(Object.entries(made).filter(([, v]) => v !== null && v !== undefined)) as unknown as Model;
}
