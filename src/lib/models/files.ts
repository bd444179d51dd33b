// Files of settings: the user's, the project's, and those that the command line names. Loaded where there are some.
import { dirname, resolve } from 'node:path';
import type { Layer } from '../config/layers.ts';
import { configFile, modelsFile, type Place, possibleFiles, type Trust } from '../config/places.ts';
import {
  type ConfigLayer,
  type ConfiguredKey,
  loadParsers,
  type Parsers,
  readConfig,
  readLayer,
} from '../config/read.ts';
import { configSchema, type Policy, policySchema } from '../config/schema.ts';
import { stampOf } from '../config/stamp.ts';
import { listOf } from '../config/types.ts';
import { EXIT, Failure } from '../ir/failure.ts';
import { Catalogue, type UserModels } from './catalogue.ts';
import { rowSchemas, userModelsSchema } from './schema.ts';
import type { FileReader, Files, Sources } from './settings.ts';
import { refuseKeys } from './trust.ts';

/** Loads what reading takes, so that reading, and reading again, need not wait. */
export async function loadReader(): Promise<FileReader> {
  const parsers = await loadParsers();
  return (sources, places) => new Reader(sources, parsers).read(places);
}

/** Reads the files of one run: the user's first, then the project's, then those that the command line names. */
class Reader {
  readonly #sources: Sources;
  readonly #parsers: Parsers;
  readonly #models: UserModels[] = [];
  readonly #files = new Map<string, string>();
  readonly #keys = new Map<string, ConfiguredKey>();
  readonly #layers: Layer[] = [];

  constructor(sources: Sources, parsers: Parsers) {
    this.#sources = sources;
    this.#parsers = parsers;
  }

  read(all: readonly Place[]): Files {
    const { models = [], policy, cwd, env } = this.#sources;
    for (const file of possibleFiles(env, cwd)) this.#watch(file);
    for (const place of all) this.#place(place);
    for (const file of models) this.#modelFile(resolve(cwd, file), 'named');
    return {
      layers: this.#layers,
      catalogue: this.#catalogue,
      keys: this.#keys,
      files: this.#files,
      ...(policy !== undefined && { policy: this.#policy(resolve(cwd, policy)) }),
    };
  }

  get #catalogue(): Catalogue {
    return new Catalogue(this.#models);
  }

  #source(trust: Trust) {
    return { trust, env: this.#sources.env, parsers: this.#parsers };
  }

  #place({ dir, trust }: Place): void {
    const models = modelsFile(dir);
    const file = configFile(dir);
    const config = file === undefined ? undefined : this.#config(file, trust);
    if (models) this.#modelFile(models, trust);
    if (config) this.#layers.push(config);
  }

  /** Providers first, since files of models refer to them; the layer goes over what files of models say. */
  #config(file: string, trust: Trust): Layer {
    this.#watch(file);
    const { z } = this.#parsers;
    const { provider } = rowSchemas(z);
    const withKey = z.extend(z.partial(provider), { key: z.optional(z.string()) });
    const read: ConfigLayer = readConfig(file, configSchema(z, withKey as never), this.#source(trust));
    const { providers = {}, models, ...values } = read.layer.values;
    if (trust === 'project') refuseKeys(providers, this.#catalogue, file);
    if (trust !== 'user' && values.budget?.command !== undefined)
      throw new Failure(EXIT.config, "budget.command: only the user's own configuration may say it", { place: file });
    for (const [name, { apis }] of Object.entries(providers))
      if (apis === undefined && !this.#catalogue.providers.has(name))
        throw new Failure(EXIT.config, `providers.${name}: expected apis, since no provider of that name is known`, {
          place: file,
        });
    const rows = Object.entries(providers).map(([name, { key, ...row }]) => [name, row]);
    if (rows.length > 0) this.#models.push({ providers: Object.fromEntries(rows) });
    for (const [name, key] of read.keys) this.#keys.set(name, key);
    for (const path of listOf(models)) this.#modelFile(resolve(dirname(file), path), trust);
    return {
      ...read.layer,
      values: { ...values, ...(models && { models }), ...(read.layer.values.providers && { providers }) },
    };
  }

  #modelFile(file: string, trust: Trust): void {
    this.#watch(file);
    const known = this.#catalogue;
    const layer = readLayer(file, userModelsSchema(this.#parsers.z, known), this.#source(trust));
    if (trust === 'project') refuseKeys(layer.values.providers ?? {}, known, file);
    this.#models.push(layer.values);
    const { default: model } = layer.values;
    if (model !== undefined) this.#layers.push({ name: file, values: { model } });
  }

  #policy(file: string): Layer {
    this.#watch(file);
    const layer = readLayer(file, policySchema(this.#parsers.z), this.#source('named'));
    const { aliases, model, ...route }: Policy = layer.values;
    const values = { ...(model !== undefined && { model }), ...(aliases && { aliases }), route };
    return { ...layer, values, placeOf: (path) => layer.placeOf?.(path[0] === 'route' ? path.slice(1) : path) };
  }

  #watch(file: string): void {
    this.#files.set(file, stampOf(file));
  }
}
