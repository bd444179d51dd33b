// Cache breakpoints: https://platform.claude.com/docs/en/build-with-claude/prompt-caching

import type { Cache } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { isObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import type { CacheFields } from './types.ts';

/** The breakpoint, if it says no more than the view can; otherwise undefined, and the field stays in the residual. */
export function readCache(native: unknown): Cache | undefined {
  if (!isObject(native)) return undefined;
  const { type, ttl, ...rest }: CacheFields = native;
  if (type !== 'ephemeral' || Object.keys(rest).length > 0) return undefined;
  return ttl === undefined ? {} : { ttl };
}

export function writeCache(cache: Cache | undefined): JsonObject | undefined {
  return (
    cache && { type: 'ephemeral', ...(cache.ttl === undefined ? {} : { ttl: lookup(TTL, cache.ttl) ?? cache.ttl }) }
  );
}

/** OpenAI's lifetimes, as the nearest of Anthropic's that is not longer. */
const TTL: { readonly [ttl: string]: string } = { '30m': '5m', '12h': '1h', '24h': '1h', in_memory: '5m' };
