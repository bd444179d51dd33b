// The window of the model that a conversation is for: the head's, else the one that is configured.
import type { Context } from '../../lib/cli/filter.ts';
import type { Head } from '../../lib/conversation/types.ts';
import { Failure } from '../../lib/failure/failure.ts';
import { isObject } from '../../lib/json/values.ts';
import { modelNamed } from '../../lib/models/catalogue.ts';
import { type Names, resolveModel } from '../../lib/models/resolve.ts';

/** Tokens; undefined where nobody knows. */
export type WindowOf = (head: Head) => number | undefined;

/** By the catalogue alone, for those who name their sizes in tokens. */
export const listedWindow: WindowOf = ({ model, meta }) => {
  if (typeof model !== 'string') return undefined;
  const route = isObject(meta) && isObject(meta.route) ? meta.route : {};
  const routed = typeof route.provider === 'string' ? modelNamed(model, route.provider) : undefined;
  return (routed ?? modelNamed(model))?.context;
};

/** The same with what users call models, and the configured model where the head names none. Throws a Failure (78) for a wrong configuration. */
export async function loadWindows({ env, cwd }: Pick<Context, 'env' | 'cwd'>): Promise<WindowOf> {
  const { loadSettings } = await import('../../lib/models/settings.ts');
  const settings = await loadSettings({ env, cwd });
  const { aliases, config } = settings;
  return (head) => {
    const listed = listedWindow(head);
    const name = head.model ?? config.model;
    if (listed !== undefined || typeof name !== 'string') return listed;
    return windowNamed(name, { catalogue: settings.catalogue, aliases, env });
  };
}

/** A name that nobody knows is no failure here: a size in tokens needs none. */
function windowNamed(name: string, names: Names): number | undefined {
  try {
    return resolveModel(name, names).facts?.context;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}
