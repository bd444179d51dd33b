// Configuration files read, checked and expanded.
import { readFileSync } from 'node:fs';
import { EXIT, Failure } from '../failure/failure.ts';
import { isObject } from '../json/values.ts';
import { loadWords, type WordSplitter } from './command.ts';
import { type Expansion, expand, expandAll, hasCommand } from './expand.ts';
import type { Layer } from './layers.ts';
import type { Env, Trust } from './places.ts';
import type { Config } from './types.ts';
import { loadYaml, type Parsed, parseYaml, type YamlParser } from './yaml.ts';
import { loadZod, type Schema, validate, type Z } from './zod.ts';

/** The libraries that reading files takes. */
export interface Parsers {
  readonly yaml: YamlParser;
  readonly z: Z;
  readonly words: WordSplitter;
}

export async function loadParsers(): Promise<Parsers> {
  const [yaml, z, words] = await Promise.all([loadYaml(), loadZod(), loadWords()]);
  return { yaml, z, words };
}

/** The text of a file. Throws a Failure (78). */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'it is a directory' : `it cannot be read`;
    throw new Failure(EXIT.config, `cannot read the configuration: ${why}`, { place: file });
  }
}

/** The value of a file of YAML or JSON, expanded and checked, as a layer. Texts whose path `keep` names stay as they are written. */
export function readLayer<T extends object>(
  file: string,
  schema: Schema<T>,
  source: { readonly trust: Trust; readonly env: Env; readonly parsers: Parsers },
  keep: (path: readonly string[]) => boolean = () => false,
): Layer & { readonly values: T } {
  const { parsers, trust, env } = source;
  const parsed = parseText(parsers.yaml, readText(file), file);
  const expansion: Expansion = { env, trust, file, words: parsers.words };
  const hides = (path: readonly string[]) => commandAt(parsed.value, path);
  const values = validate(schema, expandAll(parsed.value ?? {}, expansion, keep), file, hides);
  return { name: file, values, placeOf: (path) => `${file}:${parsed.lineOf(path) ?? 1}`, hides };
}

/** The text of a file of JSON or YAML. JSON is also YAML, but read in a tenth of the time; what is wrong with it, and where its values are, the
 * parser of YAML says. Throws a Failure (78). */
export function parseText(yaml: YamlParser, text: string, file: string): Parsed {
  if (!file.endsWith('.json')) return parseYaml(yaml, text, file);
  try {
    const value: unknown = JSON.parse(text);
    return { value, lineOf: (path) => parseYaml(yaml, text, file).lineOf(path) };
  } catch {
    return parseYaml(yaml, text, file);
  }
}

/** Whether the text at a path, or one of those in it, has a command. */
function commandAt(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (typeof value === 'string') return hasCommand(value);
  if (typeof value !== 'object' || value === null) return false;
  if (step === undefined) return Object.values(value).some((inner) => commandAt(inner, []));
  return Object.hasOwn(value, step) && commandAt((value as { [key: string]: unknown })[step], rest);
}

/** A command of the shell has its own ways with what looks like a variable. */
const isKept = (path: readonly string[]): boolean => isKey(path) || path.join('.') === 'budget.command';

const isKey = ([first, , last, ...more]: readonly string[]): boolean =>
  first === 'providers' && last === 'key' && more.length === 0;

/** A key that the user's configuration gives to a provider; what it stands for is found out only when it is asked for. */
export interface ConfiguredKey {
  readonly from: string;
  readonly value: () => string;
}

export interface ConfigLayer {
  readonly layer: Layer & { readonly values: Config };
  readonly keys: ReadonlyMap<string, ConfiguredKey>;
}

/** A configuration file. Keys of providers are kept apart. */
export function readConfig(
  file: string,
  schema: Schema<Config>,
  source: { readonly trust: Trust; readonly env: Env; readonly parsers: Parsers },
): ConfigLayer {
  const layer = readLayer(file, schema, source, isKept);
  const keys = new Map<string, ConfiguredKey>();
  for (const [name, provider] of Object.entries(layer.values.providers ?? {})) {
    if (!isObject(provider) || typeof provider.key !== 'string') continue;
    const { key } = provider;
    const path = `providers.${name}.key`;
    const value = () => expand(key, path, { ...source, file, words: source.parsers.words });
    keys.set(name, { from: `${file}: ${path}`, value });
  }
  return { layer, keys };
}
