// Token counts: https://platform.openai.com/docs/api-reference/responses/object#responses-object-usage

import type { Usage } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { own, residual } from '../codec/residual.ts';
import { RESPONSES } from './name.ts';
import type { UsageFields } from './types.ts';

/** The API counts the cached tokens among those of the input, and reasoning among those of the output. */
export function readUsage(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const { input_tokens, output_tokens, total_tokens, ...details } = native as UsageFields;
  const { input_tokens_details, output_tokens_details, ...rest } = details;
  const cacheRead = input_tokens_details?.cached_tokens;
  const cacheWrite = input_tokens_details?.cache_write_tokens;
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    input: input_tokens === undefined ? undefined : Math.max(0, input_tokens - cached),
    cacheRead,
    cacheWrite,
    output: output_tokens,
    reasoning: output_tokens_details?.reasoning_tokens,
    ext: residual(RESPONSES, rest, {
      total_tokens,
      input_tokens_details,
      output_tokens_details,
      // A server that counts the cache outside of the input.
      input_tokens: input_tokens !== undefined && input_tokens < cached ? input_tokens : undefined,
    }) ?? { [RESPONSES]: {} },
  };
}

export function writeUsage(usage: Usage): JsonObject {
  const kept = own(usage.ext, RESPONSES);
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  const prompt = input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const from = kept?.input_tokens_details as JsonObject | null | undefined;
  const to = kept?.output_tokens_details as JsonObject | null | undefined;
  const foreign = kept === undefined;
  const cached = {
    ...(cacheRead !== undefined || foreign ? { cached_tokens: cacheRead ?? 0 } : {}),
    ...(cacheWrite !== undefined || foreign ? { cache_write_tokens: cacheWrite ?? 0 } : {}),
  };
  const thought = reasoning !== undefined || foreign ? { reasoning_tokens: reasoning ?? 0 } : {};
  const sum = (prompt ?? 0) + (output ?? 0);
  return {
    ...(foreign && { input_tokens: 0, output_tokens: 0, total_tokens: sum }),
    ...kept,
    ...(prompt !== undefined && { input_tokens: input === 0 ? (kept?.input_tokens ?? prompt) : prompt }),
    ...(Object.keys(cached).length > 0 && { input_tokens_details: { ...from, ...cached } }),
    ...(output !== undefined && { output_tokens: output }),
    ...(Object.keys(thought).length > 0 && { output_tokens_details: { ...to, ...thought } }),
    ...(kept?.total_tokens === undefined && prompt !== undefined && output !== undefined && { total_tokens: sum }),
  };
}
