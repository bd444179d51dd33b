// Parameters of other APIs. What no API knows is the user's own, and passes along.

import type { FormatName } from '../../conversation/types.ts';
import { isParameter } from '../../dialects/codec/parameters.ts';
import { type Records, type WireRule, without } from '../../dialects/record-rules.ts';
import type { JsonObject } from '../../json/values.ts';
import { isOpenAIs } from './shape-table.ts';

/**
 * The parameters of each API, by the types of its own client; what an address says of a request stands in the body here. anthropic: `stop: Extra
 * inputs are not permitted`; openai: `Unrecognized request argument supplied: top_k`, `Unknown parameter: 'stop'`; gemini: `Unknown name "stop":
 * Cannot find field.`; mistral: `extra_forbidden`; cohere: `unknown field: parameter 'stop' is not a valid field`; bedrock: `ValidationException`.
 */
const OWN: { readonly [api: FormatName]: string } = {
  anthropic: `max_tokens messages model cache_control container diagnostics inference_geo metadata output_config service_tier speed stop_sequences
    stream system thinking tool_choice tools user_profile_id workspace_id temperature top_p top_k billing_policy compaction context_management
    fallback_credit_token fallbacks mcp_servers output_format thread anthropic_version anthropic_beta betas`,
  openai: `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities
    moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
    response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
    verbosity web_search_options`,
  'openai-responses': `access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls
    metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention
    reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user`,
  gemini: `contents systemInstruction tools toolConfig safetySettings cachedContent labels serviceTier generationConfig modelArmorConfig model stream
    store continuationToken`,
  bedrock: `modelId model stream messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields promptVariables
    additionalModelResponseFieldPaths requestMetadata performanceConfig serviceTier outputConfig`,
  mistral: `model temperature top_p max_tokens stream stop random_seed metadata messages response_format tools tool_choice presence_penalty
    frequency_penalty n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key service_tier safe_prompt`,
  cohere: `model messages tools strict_tools documents citation_options response_format safety_mode max_tokens stop_sequences temperature seed
    frequency_penalty presence_penalty k p logprobs tool_choice thinking priority stream`,
};

const own = new Map(Object.entries(OWN).map(([api, names]) => [api, new Set(names.split(/\s+/))]));

const rule = (api: FormatName): WireRule => {
  const foreignIn = (records: Records): string[] => {
    if (api.startsWith('openai') && !isOpenAIs(records)) return [];
    const { head = {} } = records;
    return Object.keys(head).filter((name) => !own.get(api)?.has(name) && isParameter(name) && head[name] !== null);
  };
  return {
    name: 'foreign-parameter',
    formats: [api],
    check: (records) =>
      foreignIn(records).map((name) => ({
        rule: 'foreign-parameter',
        what: `the API has no parameter "${name}"`,
        mend: 'remove it',
      })),
    mend(records) {
      const names = foreignIn(records);
      if (names.length === 0) return undefined;
      const head: JsonObject = without(records.head ?? {}, ...names);
      return {
        records: { ...records, head },
        did: [{ rule: 'foreign-parameter', did: `took ${names.join(', ')} away` }],
      };
    },
  };
};

export const foreign: readonly WireRule[] = Object.keys(OWN).map(rule);
