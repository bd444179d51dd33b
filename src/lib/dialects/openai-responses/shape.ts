// What the Responses API takes: the types of openai, `responses/responses`. Its errors: `Invalid value`, `Missing required parameter`.
import { isObject, type Json, type JsonObject, textIn } from '../../json/values.ts';
import { args, oneOf } from '../chat/shape.ts';
import {
  all,
  anything,
  by,
  fields,
  filled,
  flag,
  kinds,
  list,
  most,
  object,
  one,
  orGiven,
  type Shape,
  text,
  textOr,
  whole,
} from '../shapes.ts';

const image = all(oneOf('image_url', 'file_id'), fields({ image_url: text, detail: one('auto low high original') }));
const shown = {
  input_text: fields({ 'text!': text }),
  input_image: image,
  input_file: oneOf('file_data', 'file_id', 'file_url'),
};
// What does not fit its role has a rule of its own.
const part = by('type', {
  ...shown,
  output_text: fields({ 'text!': text }),
  refusal: fields({ 'refusal!': text }),
});
const given = textOr(text, list(by('type', shown)));

const message = fields(
  { 'role!': one('user assistant system developer'), 'content!': textOr(text, list(part)) },
  new Set(['tool_calls', 'tool_call_id', 'name', 'parts']),
);
const call = { 'call_id!': text, 'name!': filled };

const items: { readonly [type: string]: Shape } = {
  message,
  function_call: fields({ ...call, 'arguments!': orGiven(args, '{}') }),
  function_call_output: fields({ 'call_id!': text, 'output!': orGiven(given, '') }),
  custom_tool_call: fields({ ...call, 'input!': text }),
  custom_tool_call_output: fields({ 'call_id!': text, 'output!': orGiven(given, '') }),
  reasoning: fields({ summary: list(object), content: list(object), encrypted_content: text }),
  ...kinds(`compaction compaction_trigger configuration_update additional_tools item_reference program program_output tool_search_call
    tool_search_output web_search_call file_search_call computer_call computer_call_output code_interpreter_call image_generation_call
    local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output mcp_list_tools
    mcp_approval_request mcp_approval_response mcp_call`),
};
const typed = by('type', items);

/** A message needs no type. */
export const responsesItem: Shape = (value, path) =>
  isObject(value) && value.type === undefined && value.role !== undefined ? message(value, path) : typed(value, path);

const HOSTED = `file_search computer computer_use_preview web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11 mcp
  code_interpreter programmatic_tool_calling image_generation local_shell shell custom namespace tool_search apply_patch`;

const choice = textOr(
  one('none auto required'),
  by('type', {
    ...kinds('function custom', fields({ 'name!': filled }, new Set(['function']))),
    mcp: fields({ 'server_label!': text }),
    allowed_tools: fields({ 'tools!': list(object) }),
    ...kinds(
      'file_search computer computer_use computer_use_preview web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11 code_interpreter image_generation programmatic_tool_calling apply_patch shell',
    ),
  }),
);

const isListed = (head: JsonObject, type: string): boolean =>
  !Array.isArray(head.tools) || head.tools.some((tool) => isObject(tool) && textIn(tool.type).startsWith(type));

/** `Tool choice 'web_search_preview' not found in 'tools' parameter.` */
const hosted: Shape = (value, path) => {
  const head = value as JsonObject;
  const type = isObject(head.tool_choice) ? head.tool_choice.type : undefined;
  const known =
    typeof type !== 'string' ||
    type === 'function' ||
    type === 'allowed_tools' ||
    isListed(head, type.replace(/_preview.*|_\d{4}.*/, ''));
  return known
    ? undefined
    : {
        path: [...path, 'tool_choice', 'type'],
        is: type as Json,
        must: 'one of the tools',
        mend: { path: ['tool_choice'] },
      };
};

const INCLUDED = `file_search_call.results web_search_call.results web_search_call.action.sources message.input_image.image_url
  computer_call_output.output.image_url code_interpreter_call.outputs reasoning.encrypted_content message.output_text.logprobs`;

/** 16 pairs of texts, 64 and 512 characters long: https://platform.openai.com/docs/api-reference/responses/create */
const metadata: Shape = (value, path) => {
  const pairs = Object.entries(isObject(value) ? value : {});
  const fits =
    isObject(value) &&
    pairs.length <= 16 &&
    pairs.every(([key, each]) => key.length <= 64 && typeof each === 'string' && each.length <= 512);
  return fits ? undefined : { path, is: value, must: 'at most 16 pairs of strings, of at most 64 and 512 characters' };
};

export const responsesHead: Shape = all(
  fields({
    model: filled,
    instructions: anything,
    tools: list(
      by('type', {
        function: fields(
          { 'name!': filled, parameters: anything, strict: flag },
          new Set(['input_schema', 'function']),
        ),
        ...kinds(HOSTED),
      }),
      { drops: true },
    ),
    tool_choice: choice,
    text: fields({
      format: by('type', {
        text: anything,
        json_object: anything,
        json_schema: fields({ 'schema!': object }, new Set(['json_schema'])),
      }),
      verbosity: one('low medium high'),
    }),
    reasoning: fields({
      effort: one('none minimal low medium high xhigh max'),
      summary: one('auto concise detailed'),
      generate_summary: one('auto concise detailed'),
    }),
    include: list(one(INCLUDED), { drops: true }),
    metadata,
    safety_identifier: most(128),
    service_tier: one('auto default flex scale priority fast ultrafast'),
    top_logprobs: (value, path) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 20
        ? undefined
        : { path, is: value, must: 'a whole number, between 0 and 20' },
    truncation: one('auto disabled'),
    max_tool_calls: whole,
    parallel_tool_calls: flag,
    background: flag,
    store: flag,
    stream: flag,
  }),
  hosted,
);
