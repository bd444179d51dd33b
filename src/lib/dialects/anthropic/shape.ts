// What the Messages API takes: the types of @anthropic-ai/sdk, `messages` and `beta/messages`; its errors: `Extra inputs are not permitted`,
// `Input tag '…' found using 'type' does not match any of the expected tags`, `Field required`.
import {
  anything,
  by,
  fields,
  filled,
  flag,
  kinds,
  list,
  matching,
  most,
  object,
  one,
  only,
  orGiven,
  text,
  textOr,
  whole,
} from '../shapes.ts';

const cache = fields({ 'type!': only('ephemeral'), ttl: one('5m 1h') });
const cached = { cache_control: cache };

const image = by('type', {
  base64: fields({ 'media_type!': text, 'data!': text }),
  url: fields({ 'url!': matching(/^https:\/\//i, 'an https address') }),
  file: fields({ 'file_id!': filled }),
});

const document = by('type', {
  base64: fields({ 'media_type!': text, 'data!': text }),
  text: fields({ 'media_type!': only('text/plain'), 'data!': text }),
  content: fields({ 'content!': anything }),
  url: fields({ 'url!': matching(/^https:\/\//i, 'an https address') }),
  file: fields({ 'file_id!': filled }),
});

/** What other APIs write beside or into a message. */
const FOREIGN = new Set(
  'name tool_calls tool_call_id function_call reasoning_content reasoning_details refusal parts annotations images'.split(
    ' ',
  ),
);

const result = {
  text: fields({ 'text!': text, ...cached }),
  image: fields({ 'source!': image, ...cached }),
  document: fields({ 'source!': document, title: text, context: text, ...cached }),
  ...kinds('search_result tool_reference browser_state mcp_tool_listing'),
};

const block = by('type', {
  ...result,
  thinking: fields({ 'thinking!': text, signature: matching(/^[A-Za-z0-9+/_=-]*$/, 'base64, as it came') }),
  redacted_thinking: fields({ 'data!': text }),
  tool_use: fields({ 'id!': text, 'name!': filled, 'input!': orGiven(anything, {}), ...cached }),
  tool_result: fields({
    'tool_use_id!': text,
    content: textOr(text, list(by('type', result))),
    is_error: flag,
    ...cached,
  }),
  ...kinds(`server_tool_use web_search_tool_result web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result
    text_editor_code_execution_tool_result tool_search_tool_result container_upload advisor_tool_result mcp_tool_use mcp_tool_result compaction
    fallback tool_addition tool_removal`),
});

export const message = fields(
  { 'role!': one('user assistant system'), 'content!': textOr(text, list(block)) },
  FOREIGN,
);

/** Tools of the API's own carry the date of their version. */
const own = matching(/^[a-z0-9_]+_(\d{8}|bm25|regex)$|^mcp_toolset$/, '"custom", or a tool of the API');
const custom = fields(
  { 'name!': text, 'input_schema!': fields({ 'type!': only('object') }), description: text, strict: flag, ...cached },
  new Set(['parameters', 'function']),
);
const tool = (value: Parameters<typeof custom>[0], path: Parameters<typeof custom>[1]) => {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return (type === undefined || type === null || type === 'custom' ? custom : fields({ type: own }))(value, path);
};

const alone = { disable_parallel_tool_use: flag };
const display = one('summarized omitted');

export const head = fields({
  model: filled,
  system: textOr(text, list(by('type', { text: fields({ 'text!': text, ...cached }) }))),
  tools: list(tool, { drops: true }),
  tool_choice: by('type', {
    auto: fields({ type: text, ...alone }, 'closed'),
    any: fields({ type: text, ...alone }, 'closed'),
    tool: fields({ type: text, 'name!': filled, ...alone }, 'closed'),
    none: fields({ type: text }, 'closed'),
  }),
  thinking: by('type', {
    enabled: fields({ type: text, budget_tokens: whole, display }),
    disabled: fields({ type: text }, 'closed'),
    adaptive: fields({ type: text, display }, 'closed'),
    between_tools: anything,
  }),
  output_config: fields({
    effort: one('low medium high xhigh max'),
    format: fields({ 'type!': only('json_schema'), 'schema!': object }),
    task_budget: object,
  }),
  metadata: fields({ user_id: most(256) }, 'closed'),
  stop_sequences: list(text),
  service_tier: one('auto standard_only'),
  speed: one('standard fast'),
  stream: flag,
  cache_control: cache,
});
