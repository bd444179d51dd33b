// The names of request parameters that some API or server knows. Any other field of a body belongs to whoever wrote it.

import type { Head, Lose } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import type { Nothing } from './residual.ts';

/**
 * Parameters of the table's APIs and the well-known extensions of compatible servers. A field that is none of them (a dataset's `id`, `source`,
 * `label`) is the user's own: it goes along through any dialect.
 */
const PARAMETERS = new Set(
  `anthropic_beta anthropic_version audio background betas billing_policy cachedContent cache_control chat_template_kwargs citation_options
  compaction connectors container contents context_management continuationToken conversation diagnostics documents enable_thinking extra_body fallback_credit_token
  fallbacks force_nonempty_content frequency_penalty function_call functions generationConfig generation_config guardrails guided_json
  guided_regex guided_choice include inference_geo inferenceConfig input instructions keep_alive logit_bias logprobs max_completion_tokens
  max_output_tokens max_tokens max_tool_calls mcp_servers messages metadata min_p min_tokens modalities modelArmorConfig moderation model models n options outputConfig
  output_config output_format parallel_tool_calls plugins prediction presence_penalty previous_response_id prompt prompt_cache_key
  prompt_cache_options prompt_cache_retention prompt_mode provider random_seed reasoning reasoning_effort reasoning_format repetition_penalty
  response_format route safe_prompt safetySettings safety_identifier safety_mode search_parameters seed serviceTier service_tier speed stop stop_sequences
  store stream stream_options strict_tools system systemInstruction system_instruction temperature text thinking think thread tool_choice
  toolConfig tool_config tools top_a top_k top_logprobs top_p transforms truncation usage user user_profile_id verbosity web_search_options
  workspace_id additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig modelId outputConfig
  performanceConfig promptVariables requestMetadata serviceTier`.split(/\s+/),
);

/** Whether some API or server has a parameter of this name. */
export const isParameter = (name: string): boolean => PARAMETERS.has(name);

/** The fields of a body that are no API's parameters. */
export function passedOn<T extends object>(rest: Nothing<T>): JsonObject | undefined {
  return filtered(rest, (name) => !PARAMETERS.has(name));
}

/** The fields that are another API's parameters, or an extension of it: they stay in the residual. */
export function parametersOf<T extends object>(rest: Nothing<T>): JsonObject | undefined {
  return filtered(rest, (name) => PARAMETERS.has(name));
}

function filtered(rest: object, wanted: (name: string) => boolean): JsonObject | undefined {
  const entries = Object.entries(rest).filter(([name]) => wanted(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Says of each parameter with a value that the API has none of the kind. */
export function sayUnknown(parameters: { readonly [name: string]: unknown }, lose: Lose): void {
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) lose(name, 'the API has no such parameter');
}

/** Of a head, what says no more than the API does by itself: one candidate, and calls in parallel. */
export function beyondDefaults({ candidates, parallelToolCalls, serviceTier }: Head): {
  readonly n?: number;
  readonly parallel_tool_calls?: boolean;
  readonly service_tier?: string;
} {
  return {
    ...(typeof candidates === 'number' && candidates !== 1 && { n: candidates }),
    ...(parallelToolCalls === false && { parallel_tool_calls: false }),
    ...(typeof serviceTier === 'string' && !ORDINARY.has(serviceTier) && { service_tier: serviceTier }),
  };
}

const ORDINARY = new Set(['auto', 'default', 'standard']);
