// Servers of this machine, found on their usual ports.
import { isObject } from '../json/values.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Choice } from '../models/choice.ts';
import { endpointOf } from '../models/endpoint.ts';
import { type LocalServer, servedBy } from '../models/served.ts';
import { readAll, send } from './http.ts';

/** The best first; those that share a port stand in the order in which they are likely. */
const USUAL = ['ollama', 'lmstudio', 'llama.cpp', 'vllm', 'jan', 'mlx'];

/** Seconds: a server of this machine answers at once, or is none. */
const PATIENCE = { first: 0.5, idle: 0.5 };

/** The servers that answer as their kind does, with at least one model. All are asked at once. */
export async function localServers(
  catalogue: Catalogue,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<LocalServer[]> {
  const providers = USUAL.flatMap((name) => catalogue.provider(name) ?? []);
  const asked = new Map<string, Promise<string[]>>();
  const found = await Promise.all(
    providers.map(async (provider) => {
      const base = endpointOf(provider, env, (api) => api === 'openai').url;
      const url = `${base}/models`;
      const first = !asked.has(url);
      const models = asked.get(url) ?? modelsAt(url, signal);
      asked.set(url, models);
      return { provider, url: base, models: first ? await models : [] };
    }),
  );
  return found.filter(({ models }) => models.length > 0);
}

async function modelsAt(url: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { status, body } = await send({ url, method: 'GET', headers: {}, signal, patience: PATIENCE });
    const value: unknown = JSON.parse(await readAll(body));
    const rows = status === 200 && isObject(value) && Array.isArray(value.data) ? value.data : [];
    return rows.flatMap((row) =>
      isObject(row) && typeof row.id === 'string' && !EMBEDDING.test(row.id) ? [row.id] : [],
    );
  } catch {
    return [];
  }
}

/** The same choice, of the server of this machine that has its model: see `servedBy`. */
export async function servedHere(
  choice: Choice,
  catalogue: Catalogue,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Choice> {
  return servedBy(choice, await localServers(catalogue, env, signal));
}

const EMBEDDING = /embed|rerank/i;
