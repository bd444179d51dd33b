// What the API refuses of its own records: rules, shapes, parameters and where its schemas stand.
import { chatTools } from '../chat/schemas.ts';
import { answerSchema, objectOf, type RecordConstraints } from '../record-rules.ts';
import { COHERE } from './name.ts';
import { cohere } from './rules.ts';
import { cohereHead, cohereMessage } from './shape.ts';

export const records: RecordConstraints = {
  format: COHERE,
  rules: cohere,
  head: cohereHead,
  message: cohereMessage,
  parameters: `model messages tools strict_tools documents citation_options response_format safety_mode max_tokens stop_sequences temperature seed
    frequency_penalty presence_penalty k p logprobs tool_choice thinking priority stream`,
  schemas: (head) => [...chatTools(head), ...answerSchema(objectOf(head.response_format).json_schema)],
  rootsRefused: true,
};
