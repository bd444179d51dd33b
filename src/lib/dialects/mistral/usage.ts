// Token counts. The prompt's include what was read from the cache. https://docs.mistral.ai/api/endpoint/chat

import type { Lose, Usage } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import { optional } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { MISTRAL } from './name.ts';
import type { CompletionDetails, PromptDetails, UsageFields } from './types.ts';

export function readUsage(native: unknown): Usage | undefined {
  if (!isObject(native)) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens, prompt_audio_seconds, ...more } = native as UsageFields;
  const { service_tier, request_count, num_cached_tokens, ...details } = more;
  const { prompt_tokens_details, prompt_token_details, completion_tokens_details, ...rest } = details;
  const cacheRead = cachedIn(prompt_tokens_details ?? prompt_token_details) ?? numberOr(num_cached_tokens);
  const output = numberOr(completion_tokens);
  const kept = { total_tokens, prompt_audio_seconds, service_tier, request_count, num_cached_tokens };
  const inner = { prompt_tokens_details, prompt_token_details, completion_tokens_details };
  return {
    input: prompt_tokens === undefined ? undefined : Math.max(0, prompt_tokens - (cacheRead ?? 0)),
    cacheRead,
    output,
    reasoning: numberOr((completion_tokens_details as CompletionDetails | undefined)?.reasoning_tokens),
    ext: residual(MISTRAL, rest, { ...kept, ...inner, ...(output === undefined && { completion_tokens }) }),
  };
}

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const cachedIn = (details: unknown): number | undefined =>
  numberOr((details as PromptDetails | null | undefined)?.cached_tokens);

/** The counts of the view; those that the API said more than once, only as long as they agree. */
export function writeUsage(usage: Usage, lose: Lose): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = usage;
  const kept = own(usage.ext, MISTRAL);
  if (cacheWrite) lose('usage: cache write', 'it is included in the prompt tokens');
  const before = kept && readUsage({ ...kept, prompt_tokens: 0 });
  const prompt = input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const total = prompt === undefined || output === undefined ? undefined : prompt + output;
  const cached = before?.cacheRead === cacheRead ? undefined : { cached_tokens: cacheRead };
  const thought = before?.reasoning === reasoning ? undefined : { reasoning_tokens: reasoning };
  return {
    ...kept,
    ...optional({ prompt_tokens: prompt, completion_tokens: output, total_tokens: kept?.total_tokens ?? total }),
    ...(cached && { prompt_tokens_details: { ...(kept?.prompt_tokens_details as JsonObject), ...cached } }),
    ...(thought && { completion_tokens_details: { ...(kept?.completion_tokens_details as JsonObject), ...thought } }),
  };
}
