// What the API refuses of its own records: rules, shapes, parameters and where its schemas stand.
import { answerSchema, listOf, objectOf, type RecordConstraints, toolSchema } from '../record-rules.ts';
import { ANTHROPIC } from './name.ts';
import { anthropic } from './rules.ts';
import { head, message } from './shape.ts';

export const records: RecordConstraints = {
  format: ANTHROPIC,
  rules: anthropic,
  head,
  message,
  parameters: `max_tokens messages model cache_control container diagnostics inference_geo metadata output_config service_tier speed stop_sequences
    stream system thinking tool_choice tools user_profile_id workspace_id temperature top_p top_k billing_policy compaction context_management
    fallback_credit_token fallbacks mcp_servers output_format thread anthropic_version anthropic_beta betas`,
  schemas: (head) => [
    ...listOf(head.tools).flatMap(({ name, input_schema, strict }) => toolSchema(name, input_schema, strict)),
    ...answerSchema(objectOf(objectOf(head.output_config).format).schema, true),
  ],
  strictTools: true,
  namesProperties: () => true,
};
