// Files of settings: the user's, the project's, and those that the command line names. Loaded where there are some.
import { dirname, join, resolve } from 'node:path';
import { join as joinLayers, type Layer } from '../config/layers.ts';
import { configFile, modelsFile, type Place, possibleFiles, type Trust, userDir } from '../config/places.ts';
import {
  type ConfigLayer,
  type ConfiguredKey,
  loadParsers,
  type Parsers,
  readConfig,
  readLayer,
} from '../config/read.ts';
import { readRestrictions } from '../config/restrictions.ts';
import { configSchema, type Policy, policySchema } from '../config/schema.ts';
import { stampOf } from '../config/stamp.ts';
import { type Config, listOf } from '../config/types.ts';
import { EXIT, Failure } from '../failure/failure.ts';
import { Catalogue, type UserModels } from './catalogue.ts';
import { rowSchemas, userModelsSchema } from './schema.ts';
import type { FileReader, Files, Sources } from './settings.ts';

/** Loads what reading takes, so that reading, and reading again, need not wait. */
export async function loadReader(): Promise<FileReader> {
  const parsers = await loadParsers();
  return (sources, places) => new Reader(sources, parsers).read(places);
}

/** At most this many paths are told of one file. */
const TOLD = 8;

const userFile = (env: Sources['env']): string => join(userDir(env) ?? '~/.config/ai', 'config.yaml');

/** Reads the files of one run: the user's first, then the project's, then those that the command line names. */
class Reader {
  readonly #sources: Sources;
  readonly #parsers: Parsers;
  readonly #models: UserModels[] = [];
  readonly #files = new Map<string, string>();
  readonly #keys = new Map<string, ConfiguredKey>();
  readonly #layers: Layer[] = [];
  readonly #notes: string[] = [];

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
      notes: this.#notes,
      ...(policy !== undefined && { policy: this.#policy(resolve(cwd, policy)) }),
    };
  }

  get #catalogue(): Catalogue {
    return new Catalogue(this.#models);
  }

  #source(trust: Trust) {
    return { trust, env: this.#sources.env, parsers: this.#parsers };
  }

  #place({ dir, of }: Place): void {
    const models = modelsFile(dir);
    const file = configFile(dir);
    if (of === 'project') {
      if (models) this.#ignore(models, ['all of it']);
      if (file) this.#restrict(file);
      return;
    }
    const config = file === undefined ? undefined : this.#config(file);
    if (models) this.#modelFile(models, 'user');
    if (config) this.#layers.push(config);
  }

  #restrict(file: string): void {
    this.#watch(file);
    const { layer, ignored } = readRestrictions(file, joinLayers<Config>(this.#layers), this.#parsers);
    if (ignored.length > 0) this.#ignore(file, ignored);
    this.#layers.push(layer);
  }

  #ignore(file: string, what: readonly string[]): void {
    this.#watch(file);
    const named = what.map((path) => (/^[\w.*/ -]{1,80}$/.test(path) ? path : JSON.stringify(path.slice(0, 80))));
    const more = named.length > TOLD ? ` and ${named.length - TOLD} more` : '';
    this.#notes.push(
      `${file}: ignored: ${named.slice(0, TOLD).join(', ')}${more} (a project may only lower budgets and limits; put the rest into ${userFile(this.#sources.env)})`,
    );
  }

  /** Providers first, since files of models refer to them; the layer goes over what files of models say. */
  #config(file: string): Layer {
    this.#watch(file);
    const { z } = this.#parsers;
    const { provider } = rowSchemas(z);
    const withKey = z.extend(z.partial(provider), { key: z.optional(z.string()) });
    const read: ConfigLayer = readConfig(file, configSchema(z, withKey as never), this.#source('user'));
    const { providers = {}, models, ...values } = read.layer.values;
    for (const [name, { apis }] of Object.entries(providers))
      if (apis === undefined && !this.#catalogue.providers.has(name))
        throw new Failure(
          EXIT.config,
          `providers.${name}: "apis" is missing, and there is no built-in provider of this name`,
          {
            place: file,
          },
        );
    const rows = Object.entries(providers).map(([name, { key, ...row }]) => [name, row]);
    if (rows.length > 0) this.#models.push({ providers: Object.fromEntries(rows) });
    for (const [name, key] of read.keys) this.#keys.set(name, key);
    for (const path of listOf(models)) this.#modelFile(resolve(dirname(file), path), 'user');
    return {
      ...read.layer,
      values: { ...values, ...(models && { models }), ...(read.layer.values.providers && { providers }) },
    };
  }

  #modelFile(file: string, trust: Trust): void {
    this.#watch(file);
    const known = this.#catalogue;
    const layer = readLayer(file, userModelsSchema(this.#parsers.z, known), this.#source(trust));
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
