// Everything that is configured, from all the layers: the settings, the catalogue with what users add, aliases, keys.
import { environmentLayer } from '../config/environment.ts';
import { join as joinLayers, type Layer } from '../config/layers.ts';
import { configFile, type Env, modelsFile, type Place, places } from '../config/places.ts';
import type { ConfiguredKey } from '../config/read.ts';
import { stampOf } from '../config/stamp.ts';
import { type Config, listOf } from '../config/types.ts';
import { catalogue as builtIn, type Catalogue } from './catalogue.ts';
import { fromChain } from './resolve.ts';

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
  /** What a person should know of the files: what in a project's does not count. */
  readonly notes: readonly string[];
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
  return readSettings(sources, hasFiles(sources) ? await loadFileReader() : undefined);
}

/** Reads the files of one run: those of the places, then those that the command line names. */
export type FileReader = (sources: Sources, places: readonly Place[]) => Files;

export const loadFileReader = async (): Promise<FileReader> => (await import('./files.ts')).loadReader();

export function hasFiles({ env, cwd, policy, models }: Sources): boolean {
  if (policy !== undefined || (models && models.length > 0)) return true;
  return places(env, cwd).some(({ dir }) => configFile(dir) !== undefined || modelsFile(dir) !== undefined);
}

/** The same without waiting, for those who read again; a `reader` is needed where there are files. */
export function readSettings(sources: Sources, reader: FileReader | undefined): Settings {
  const { env, cwd, defaults = {}, flags = {} } = sources;
  const files = reader ? reader(sources, places(env, cwd)) : NO_FILES;
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

export interface Files extends Pick<Settings, 'catalogue' | 'keys' | 'files' | 'notes'> {
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
  notes: [],
};

/** The files of settings as they are now. */
export const stampsOf = ({ files }: Settings): ReadonlyMap<string, string> =>
  new Map([...files.keys()].map((file) => [file, stampOf(file)]));

/** Whether a file has changed, come or gone since the settings were read. */
export const isStale = ({ files }: Settings): boolean => [...files].some(([file, stamp]) => stampOf(file) !== stamp);
