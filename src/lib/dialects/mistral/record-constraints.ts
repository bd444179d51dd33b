// What the API refuses of its own records: rules, shapes, parameters and where its schemas stand.
import { chatAnswer, chatTools } from '../chat/schemas.ts';
import type { RecordConstraints } from '../record-rules.ts';
import { MISTRAL } from './name.ts';
import { mistral } from './rules.ts';
import { mistralHead, mistralMessage } from './shape.ts';

export const records: RecordConstraints = {
  format: MISTRAL,
  rules: mistral,
  head: mistralHead,
  message: mistralMessage,
  parameters: `model temperature top_p max_tokens stream stop random_seed metadata messages response_format tools tool_choice presence_penalty
    frequency_penalty n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key service_tier safe_prompt`,
  schemas: (head) => [...chatTools(head), ...chatAnswer(head)],
  rootsRefused: true,
};
