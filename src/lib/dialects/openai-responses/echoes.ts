// What a reply says that is no part of the answer.

/** The request once more, and when it was done with. */
export const ECHOES: ReadonlySet<string> = new Set([
  ...['access_programs', 'background', 'billing', 'completed_at', 'conversation', 'frequency_penalty', 'image'],
  ...['instructions', 'max_output_tokens', 'max_tool_calls', 'metadata', 'parallel_tool_calls', 'presence_penalty'],
  ...['previous_response_id', 'prompt', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['reasoning', 'safety_identifier', 'service_tier', 'store', 'temperature', 'text', 'tool_choice', 'tools'],
  ...['top_logprobs', 'top_p', 'truncation', 'user'],
]);
