// What is known of providers and models, as data.
import models from './models.json' with { type: 'json' };
import providers from './providers.json' with { type: 'json' };

export interface Provider {
  readonly name: string;
  /** The base URL, without a slash at its end. */
  readonly url: string;
  /** The dialect that it speaks: a name in the table of formats. */
  readonly api: string;
  /** Environment variables that may hold the key, the first one set wins. None: it needs no key. */
  readonly keys: readonly string[];
  /** How the names of its own models begin. */
  readonly models?: readonly string[];
}

export interface Model {
  readonly id: string;
  readonly provider: string;
  /** Tokens that prompt and answer may take together. */
  readonly context: number;
  /** Tokens that an answer may take. */
  readonly output: number;
}

export const PROVIDERS: readonly Provider[] = providers;

export const MODELS: readonly Model[] = models;

export function providerNamed(name: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.name === name);
}

/** The facts of a model; a dated id (`claude-sonnet-4-5-20250929`) has those of the id without its date. */
export function modelNamed(id: string, provider?: string): Model | undefined {
  const fits = MODELS.filter((model) => provider === undefined || model.provider === provider);
  return (
    fits.find((model) => model.id === id) ??
    fits.find((model) => id.startsWith(`${model.id}-`) && /^-\d{4,8}/.test(id.slice(model.id.length)))
  );
}
