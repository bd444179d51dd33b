// Cache breakpoints on content parts: https://platform.openai.com/docs/guides/prompt-caching

import type { Cache } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';

/**
 * A breakpoint in the API's own words, or in Anthropic's, which OpenRouter and others take. undefined if it says more than the view can: then the
 * field stays in the residual.
 */
export function readCache(breakpoint: unknown, control?: unknown): Cache | undefined {
  const native = breakpoint ?? control;
  if (!isObject(native)) return undefined;
  const { mode, type, ttl, ...rest } = native;
  const known = mode === 'explicit' || type === 'ephemeral';
  if (!known || Object.keys(rest).length > 0 || (breakpoint !== undefined && control !== undefined)) return undefined;
  return ttl === undefined ? {} : typeof ttl === 'string' ? { ttl } : undefined;
}

export function writeCache(cache: Cache | undefined, form?: string): JsonObject | undefined {
  if (cache === undefined) return undefined;
  if (form === 'cache_control') return { cache_control: { type: 'ephemeral', ...cache } };
  const ttl = cache.ttl === undefined ? undefined : (lookup(TTL, cache.ttl) ?? cache.ttl);
  return { prompt_cache_breakpoint: { mode: 'explicit', ...(ttl !== undefined && { ttl }) } };
}

/** Anthropic's lifetimes, as the API's own that are not shorter. */
const TTL: { readonly [ttl: string]: string } = { '5m': '30m', '1h': '12h' };
