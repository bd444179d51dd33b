// The data files, read when they are first asked for. They lie beside this file in src/, and beside the bundle in dist/.
import { readFileSync } from 'node:fs';
import type { Model, Provider } from './types.ts';

/** A provider as its file has it: `api` and `url` are the first of `apis`. */
export type ProviderRow = Omit<Provider, 'name' | 'api' | 'url' | 'keys'> & { readonly keys?: readonly string[] };

/** A model as its file has it; the row named `*` is said of all the rows of its provider. */
export type ModelRow = Omit<Model, 'id' | 'provider'>;

interface ProviderFile {
  readonly providers: { readonly [name: string]: ProviderRow };
}

const text = (name: string): string => readFileSync(new URL(`./data/${name}`, import.meta.url), 'utf8');

let providerFile: ProviderFile | undefined;

export function readProviders(): ProviderFile {
  providerFile ??= JSON.parse(text('providers.json')) as ProviderFile;
  return providerFile;
}

/** How many names are looked for in the text. */
const FEW = 8;

/**
 * models.json, one provider a line. Parsing the whole takes milliseconds that most runs have no use for: a provider's line is parsed when it is
 * asked for, and a name is looked for in the text first.
 */
export class ModelFile {
  readonly #lines = new Map<string, string>();
  readonly #parsed = new Map<string, { readonly [id: string]: ModelRow }>();

  readonly #head: string;
  #asked = 0;
  #index: Map<string, string[]> | undefined;
  #ids: { readonly [provider: string]: readonly string[] } | undefined;

  constructor(file = text('models.json')) {
    this.#head = file.slice(0, file.indexOf(',"models":{\n'));
    for (const line of file.split('\n')) {
      const end = line.indexOf('":');
      if (line.startsWith('"')) this.#lines.set(line.slice(1, end), line.slice(end + 2).replace(/,$/, ''));
    }
  }

  get providers(): string[] {
    return [...this.#lines.keys()];
  }

  /** The rows of a provider. */
  rows(provider: string): readonly Model[] {
    return readRows(provider, this.#parse(provider));
  }

  /** The rows of a provider's present line-up. */
  current(provider: string): readonly Model[] {
    const { '*': shared, ...own } = this.#parse(provider);
    const current = Object.entries(own).filter(([, row]) => row.current);
    return readRows(provider, Object.fromEntries(shared ? [['*', shared], ...current] : current));
  }

  /** The ids of a provider's rows. The first line has those of all, so that a search parses no rows. */
  ids(provider: string): readonly string[] {
    this.#ids ??= JSON.parse(`${this.#head}}`).ids as { readonly [provider: string]: readonly string[] };
    return this.#ids[provider] ?? [];
  }

  #parse(provider: string): { readonly [id: string]: ModelRow } {
    const parsed = this.#parsed.get(provider) ?? JSON.parse(this.#lines.get(provider) ?? '{}');
    this.#parsed.set(provider, parsed);
    return parsed;
  }

  /** The providers that list the id. A few are looked for in the text; who asks for many, as a dataset does, has an index made. */
  mentioning(id: string): readonly string[] {
    this.#asked += 1;
    if (this.#asked > FEW) {
      this.#index ??= this.#providersById();
      return this.#index.get(id) ?? [];
    }
    const quoted = `${JSON.stringify(id)}:{`;
    return [...this.#lines].filter(([, line]) => line.includes(quoted)).map(([provider]) => provider);
  }

  #providersById(): Map<string, string[]> {
    const index = new Map<string, string[]>();
    for (const provider of this.#lines.keys())
      for (const id of this.ids(provider)) index.set(id, [...(index.get(id) ?? []), provider]);
    return index;
  }
}

/** The models of one provider's object. */
export function readRows(provider: string, rows: { readonly [id: string]: ModelRow }): Model[] {
  const { '*': shared, ...own } = rows;
  return Object.entries(own).map(([id, row]) => ({ id, provider, ...shared, ...row }));
}
