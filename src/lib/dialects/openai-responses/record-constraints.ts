// What the API refuses of its own records: rules, shapes, parameters and where its schemas stand.
import { changeOpenAISchemas, isOpenAIs } from '../chat/schemas.ts';
import { answerSchema, listOf, objectOf, type RecordConstraints, toolSchema } from '../record-rules.ts';
import { RESPONSES } from './name.ts';
import { responses } from './rules.ts';
import { responsesHead, responsesItem } from './shape.ts';

export const records: RecordConstraints = {
  format: RESPONSES,
  rules: responses,
  head: responsesHead,
  message: responsesItem,
  parameters: `access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls
    metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention
    reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user`,
  schemas: (head) => {
    const { schema, strict } = objectOf(objectOf(head.text).format);
    return [
      ...listOf(head.tools).flatMap(({ type, name, parameters, strict: is }) =>
        type === 'function' ? toolSchema(name, parameters, is) : [],
      ),
      ...answerSchema(schema, strict),
    ];
  },
  changeSchemas: changeOpenAISchemas,
  strictSchemas: true,
  isOwn: isOpenAIs,
};
