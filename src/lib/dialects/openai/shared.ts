// What Chat Completions and Responses call by the same name, and mean the same by.
import type { JsonObject } from '../../json/values.ts';

const SHARED = ['moderation', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'store'] as const;

/** The fields of a head's residual that go from one of the two to the other as they are. */
export function sharedFields(residual: JsonObject | undefined): JsonObject | undefined {
  if (residual === undefined) return undefined;
  return Object.fromEntries(SHARED.flatMap((name) => (name in residual ? [[name, residual[name]]] : [])));
}

/** Those, and what stands elsewhere there: `verbosity` in `text`, the grammar of a custom tool one level higher. */
export const FROM_CHAT: ReadonlySet<string> = new Set([...SHARED, 'verbosity', 'custom']);
export const FROM_RESPONSES: ReadonlySet<string> = new Set([...SHARED, 'text', 'format']);
