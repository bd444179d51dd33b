// Look-ups in what is known of providers and models: the data files, and what users add.
import { ModelFile, type ModelRow, type ProviderRow, readProviders, readRows } from './data.ts';
import type { Model, Provider } from './types.ts';

/** What a user's models.json adds. The last file wins. */
export interface UserModels {
  /** The model to use where nothing names another: `provider/id`. */
  readonly default?: string;
  readonly providers?: { readonly [name: string]: Partial<ProviderRow> };
  /** Whole rows by provider and id, added or put in the place of ours. */
  readonly models?: { readonly [provider: string]: { readonly [id: string]: ModelRow } };
  /** Fields that replace those of a row, by `provider/id`. */
  readonly overrides?: { readonly [name: string]: Partial<ModelRow> };
}

export class Catalogue {
  readonly #user: readonly UserModels[];
  #file: ModelFile | undefined;
  #providers: Map<string, Provider> | undefined;
  #prefixes: Map<string, Provider> | undefined;
  readonly #models = new Map<string, Map<string, Model>>();

  constructor(user: readonly UserModels[] = []) {
    this.#user = user;
  }

  /** Every provider by its name. */
  get providers(): ReadonlyMap<string, Provider> {
    this.#providers ??= readAll(this.#user);
    return this.#providers;
  }

  /** By its name or one of its prefixes, whatever the case. */
  provider(name: string): Provider | undefined {
    if (this.#prefixes === undefined) {
      const short = [...this.providers.values()].flatMap((p) => (p.prefixes ?? []).map((at) => [at, p] as const));
      const long = [...this.providers].map(([at, p]) => [at.toLowerCase(), p] as const);
      this.#prefixes = new Map([...short, ...long]);
    }
    return this.#prefixes.get(name.toLowerCase());
  }

  /** The models that a provider is known to serve. */
  models(provider: string): ReadonlyMap<string, Model> {
    const known = this.#models.get(provider);
    if (known) return known;
    const added = this.#user.flatMap(({ models }) => {
      const rows = ownOf(models, provider);
      return rows === undefined ? [] : readRows(provider, rows);
    });
    const all = new Map([...this.#data.rows(provider), ...added].map((model) => [model.id, this.#override(model)]));
    this.#models.set(provider, all);
    return all;
  }

  /** Those of its present line-up; of what a user lists of a server of this machine, all. */
  current(provider: Provider): readonly Model[] {
    if (this.#user.length === 0) return this.#data.current(provider.name);
    return [...this.models(provider.name).values()].filter((model) => model.current ?? provider.kind === 'local');
  }

  /** The facts of a provider's model; a dated id (`claude-sonnet-4-5-20250929`) has those of the id without its date. */
  model(id: string, provider: string): Model | undefined {
    const models = this.models(provider);
    return models.get(id) ?? models.get(undated(id));
  }

  /** The providers that list exactly this id. */
  listing(id: string): string[] {
    const added = this.#user.flatMap(({ models }) => Object.entries(models ?? {}));
    const adding = added.filter(([, rows]) => Object.hasOwn(rows, id)).map(([provider]) => provider);
    return [...new Set([...this.#data.mentioning(id), ...adding])];
  }

  /** The ids that each provider is known to serve. */
  *ids(): Generator<readonly [provider: string, ids: readonly string[]]> {
    for (const provider of this.#listing) {
      const added = this.#user.flatMap(({ models }) => Object.keys(ownOf(models, provider) ?? {}));
      yield [provider, [...this.#data.ids(provider), ...added.filter((id) => id !== '*')]];
    }
  }

  /** Every model. Parses the whole catalogue. */
  all(): Model[] {
    return [...this.#listing].flatMap((provider) => [...this.models(provider).values()]);
  }

  /** The providers of which models are known. */
  get #listing(): Set<string> {
    return new Set([...this.#data.providers, ...this.#user.flatMap(({ models }) => Object.keys(models ?? {}))]);
  }

  get #data(): ModelFile {
    this.#file ??= new ModelFile();
    return this.#file;
  }

  #override(model: Model): Model {
    const name = `${model.provider}/${model.id}`;
    const found = this.#user.flatMap(({ overrides }) => ownOf(overrides, name) ?? []);
    return found.length === 0 ? model : Object.assign({ ...model }, ...found);
  }
}

const ownOf = <T>(table: { readonly [key: string]: T } | undefined, key: string): T | undefined =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

/** An id without the date at its end: `-20250929`, `-2025-09-29`, `-2509`. */
export const undated = (id: string): string => id.replace(/-(?:20\d{6}|20\d{2}-\d{2}-\d{2}|\d{4})$/, '');

function readAll(user: readonly UserModels[]): Map<string, Provider> {
  const { providers } = readProviders();
  const rows = new Map<string, Partial<ProviderRow>>(Object.entries(providers));
  for (const layer of user)
    for (const [name, row] of Object.entries(layer.providers ?? {})) rows.set(name, { ...rows.get(name), ...row });
  return new Map([...rows].map(([name, row]) => [name, provider(name, row)]));
}

function provider(name: string, row: Partial<ProviderRow>): Provider {
  const apis = row.apis ?? {};
  const [api = '', url = ''] = Object.entries(apis)[0] ?? [];
  return { kind: 'cloud', keys: [], ...row, name, apis, api, url };
}

const builtIn = new Catalogue();

/** The catalogue without anything of the user's. */
export const catalogue = (): Catalogue => builtIn;

export const providerNamed = (name: string): Provider | undefined => builtIn.provider(name);

/** The facts of a model; without a provider, those of the vendor that owns the id, else of the first that lists it. */
export function modelNamed(id: string, provider?: string): Model | undefined {
  if (provider !== undefined) return builtIn.model(id, provider);
  const exact = builtIn.listing(id);
  const listed = exact.length > 0 ? exact : builtIn.listing(undated(id));
  const owner = listed.find((name) => builtIn.providers.get(name)?.kind === 'vendor') ?? listed[0];
  return owner === undefined ? undefined : builtIn.model(id, owner);
}
