// What the API refuses of its own records: rules, shapes, parameters and where its schemas stand.
import { changeOpenAISchemas, chatAnswer, chatTools, isOpenAIs } from '../chat/schemas.ts';
import type { RecordConstraints } from '../record-rules.ts';
import { OPENAI } from './name.ts';
import { openai } from './rules.ts';
import { openaiHead, openaiMessage } from './shape.ts';

export const records: RecordConstraints = {
  format: OPENAI,
  rules: openai,
  head: openaiHead,
  message: openaiMessage,
  parameters: `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities
    moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort
    response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user
    verbosity web_search_options`,
  schemas: (head) => [...chatTools(head), ...chatAnswer(head)],
  changeSchemas: changeOpenAISchemas,
  strictSchemas: true,
  isOwn: isOpenAIs,
};
