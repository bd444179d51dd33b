// Summaries that were written once and are needed again: a conversation that grows is condensed anew for each request, and the model that sums
// it up must not be asked each time.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../../lib/json/values.ts';

export interface Stored {
  readonly text: string;
  readonly meta: JsonObject;
}

/** A folder of the user's cache, readable by its owner alone. A summary that cannot be kept is asked for again: no error. */
export class Store {
  readonly #folder: string | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const cache = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
    this.#folder = cache ? join(cache, 'ai-coreutils', 'summaries') : undefined;
  }

  get(key: string): Stored | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      const stored: unknown = JSON.parse(readFileSync(join(this.#folder, `${key}.json`), 'utf8'));
      if (!isObject(stored) || typeof stored.text !== 'string') return undefined;
      return { text: stored.text, meta: isObject(stored.meta) ? stored.meta : {} };
    } catch {
      return undefined;
    }
  }

  set(key: string, stored: Stored): void {
    if (this.#folder === undefined) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const path = join(this.#folder, `${key}.json`);
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(stored), { mode: 0o600 });
      renameSync(`${path}.${process.pid}`, path);
    } catch {
      // It is only a cache.
    }
  }
}
