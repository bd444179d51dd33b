// Everything that is configured, from all the layers: the settings, the catalogue with what users add, aliases, keys.
import { dirname, join, resolve } from 'node:path';
import { environmentLayer } from '../config/environment.ts';
import { join as joinLayers, type Layer } from '../config/layers.ts';
import { configFile, type Env, modelsFile, type Place, places, type Trust } from '../config/places.ts';
import {
  type ConfigLayer,
  type ConfiguredKey,
  loadParsers,
  type Parsers,
  readConfig,
  readLayer,
  stampOf,
} from '../config/read.ts';
import { configSchema, type Policy, policySchema } from '../config/schema.ts';
import { type Config, listOf } from '../config/types.ts';
import { EXIT, Failure } from '../ir/failure.ts';
import { catalogue as builtIn, Catalogue, type UserModels } from './catalogue.ts';
import { fromChain } from './resolve.ts';
import { rowSchemas, userModelsSchema } from './schema.ts';
import { refuseKeys } from './trust.ts';

export interface Settings {
  readonly config: Config;
  /** In order, each overriding those before. */
  readonly layers: readonly Layer[];
  readonly catalogue: Catalogue;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Keys that the user's configuration gives to providers. */
  readonly keys: ReadonlyMap<string, ConfiguredKey>;
  /** The files that were read or looked for, each with what it was like. */
  readonly files: ReadonlyMap<string, string>;
}

export interface Sources {
  readonly env: Env;
  readonly cwd: string;
  /** What programs have without any configuration. */
  readonly defaults?: Config;
  /** What the command line says. */
  readonly flags?: Config;
  /** A file of rules that the command line names: goes before every file. */
  readonly policy?: string;
  /** Files of models that the command line names. */
  readonly models?: readonly string[];
}

/** Reads the layers. Nothing is loaded where there are no files. Throws a Failure (78) for what is wrong in one. */
export async function loadSettings(sources: Sources): Promise<Settings> {
  return readSettings(sources, needsParsers(sources) ? await loadParsers() : undefined);
}

export function needsParsers({ env, cwd, policy, models }: Sources): boolean {
  if (policy !== undefined || (models && models.length > 0)) return true;
  return places(env, cwd).some(({ dir }) => configFile(dir) !== undefined || modelsFile(dir) !== undefined);
}

/** The same without waiting, for those who read again; `parsers` are needed where there are files. */
export function readSettings(sources: Sources, parsers: Parsers | undefined): Settings {
  const { env, cwd, defaults = {}, flags = {} } = sources;
  const files = parsers ? new Reader(sources, parsers).read(places(env, cwd)) : NO_FILES;
  const layers: Layer[] = [
    { name: 'defaults', values: defaults },
    ...files.layers,
    environmentLayer(env, fromChain('', env)),
    ...(files.policy ? [files.policy] : []),
    { name: 'flags', values: flags, placeOf: (path) => `option --${path.at(0) === 'route' ? path[1] : path[0]}` },
  ];
  const config = joinLayers<Config>(layers);
  const aliases = new Map(Object.entries(config.aliases ?? {}).map(([name, value]) => [name, listOf(value)]));
  return { ...files, config, layers, aliases };
}

interface Files extends Pick<Settings, 'catalogue' | 'keys' | 'files'> {
  readonly layers: readonly Layer[];
  readonly policy?: Layer;
}

const NO_FILES: Files = {
  layers: [],
  get catalogue() {
    return builtIn();
  },
  keys: new Map(),
  files: new Map(),
};

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
    for (const place of all) this.#place(place);
    const { models = [], policy, cwd } = this.#sources;
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
    this.#watch(join(dir, 'models.json'));
    const file = configFile(dir);
    this.#watch(file ?? join(dir, 'config.yaml'));
    const config = file === undefined ? undefined : this.#config(file, trust);
    if (models) this.#modelFile(models, trust);
    if (config) this.#layers.push(config);
  }

  /** Providers first, since files of models refer to them; the layer goes over what files of models say. */
  #config(file: string, trust: Trust): Layer {
    const { z } = this.#parsers;
    const { provider } = rowSchemas(z);
    const withKey = z.extend(z.partial(provider), { key: z.optional(z.string()) });
    const read: ConfigLayer = readConfig(file, configSchema(z, withKey as never), this.#source(trust));
    const { providers = {}, models, ...values } = read.layer.values;
    if (trust === 'project') refuseKeys(providers, this.#catalogue, file);
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

/** Whether a file has changed, come or gone since the settings were read. */
export const isStale = ({ files }: Settings): boolean => [...files].some(([file, stamp]) => stampOf(file) !== stamp);
