// What Chat takes, and the APIs that took over its shapes: the types of openai (`chat/completions`), @mistralai/mistralai (`models/components`)
// and cohere-ai (`api/types`). OpenAI's errors: `Missing required parameter`, `Invalid value`, `[] is too short`; Mistral's: `extra_forbidden`.
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import {
  all,
  anything,
  between,
  by,
  fields,
  filled,
  flag,
  kinds,
  list,
  matching,
  object,
  one,
  only,
  orGiven,
  type Shape,
  text,
  textOr,
  whole,
} from './shape.ts';

/**
 * Arguments are the text of an object. Servers that fill them into a template refuse others, and the call stands in their way for ever:
 * https://github.com/sgl-project/sglang/pull/28035, https://github.com/vllm-project/vllm/issues/43995, and
 * `arguments must be a valid JSON object string`, https://github.com/justrach/codegraff/issues/752. No text at all means none.
 */
export const args: Shape = (value, path) => {
  if (typeof value !== 'string') return { path, is: value, must: 'a text' };
  return value.trim() === '' || isObject(parsed(value))
    ? undefined
    : { path, is: value, must: 'the JSON of an object', mend: { path, value: JSON.stringify({ _raw: value }) } };
};

function parsed(value: string): Json | undefined {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}

const fn = fields(
  { 'name!': filled, description: text, parameters: anything, strict: flag },
  new Set(['input_schema']),
);
const called = fields({
  'id!': text,
  'type!': only('function'),
  'function!': fields({ 'name!': filled, 'arguments!': orGiven(args, '{}') }),
});

const calls = by(
  'type',
  {
    function: called,
    custom: fields({ 'id!': text, 'custom!': fields({ 'name!': filled, 'input!': text }) }),
  },
  'function',
);

const textPart = fields({ 'text!': text }, new Set(['cache_control']));
const texts = textOr(text, list(by('type', { text: textPart }), { least: 1, empty: '' }));
const url = fields({ 'url!': text, detail: one('auto low high original') });

/** Some clients write the address alone: https://github.com/BerriAI/litellm */
const addressed: Shape = (value, path) =>
  typeof value === 'string'
    ? { path, is: value, must: 'an object with a "url"', mend: { path, value: { url: value } } }
    : url(value, path);

const usersPart = by('type', {
  text: textPart,
  image_url: fields({ 'image_url!': addressed }),
  input_audio: fields({ 'input_audio!': fields({ 'data!': text, 'format!': text }) }),
  file: fields({ 'file!': oneOf('file_data', 'file_id') }),
});

/** An object with one of these fields at least. */
export function oneOf(...names: readonly string[]): Shape {
  return (value, path) => {
    if (!isObject(value)) return { path, is: value, must: 'an object' };
    return names.some((name) => typeof value[name] === 'string')
      ? undefined
      : { path, is: value, must: `an object with ${names.join(' or ')}` };
  };
}

/** `Expected a string that matches the pattern '^[^\s<|\\/>]+$'` */
const named = { name: matching(/^[^\s<|\\/>]+$/, 'a name without spaces and "<|\\/>"') };
const FOREIGN = new Set(['parts', 'is_error', 'stop_reason']);

export const openaiMessage: Shape = by('role', {
  developer: fields({ 'content!': texts, ...named }, FOREIGN),
  system: fields({ 'content!': texts, ...named }, FOREIGN),
  user: fields({ 'content!': textOr(text, list(usersPart, { least: 1, empty: '' })), ...named }, FOREIGN),
  assistant: fields(
    {
      content: textOr(text, list(by('type', { text: textPart, refusal: fields({ 'refusal!': text }) }))),
      tool_calls: list(calls, { least: 1 }),
      ...named,
    },
    FOREIGN,
  ),
  tool: fields({ 'content!': orGiven(texts, ''), 'tool_call_id!': text }, FOREIGN),
  function: anything,
});

const format = by('type', {
  text: anything,
  json_object: anything,
  json_schema: fields({ 'json_schema!': fields({ schema: object, strict: flag }) }),
});

const TOOL_FOREIGN = new Set(['input_schema', 'name', 'parameters']);
const tool = by(
  'type',
  {
    function: fields({ 'type!': only('function'), 'function!': fn }, TOOL_FOREIGN),
    custom: fields({ 'custom!': fields({ 'name!': filled }) }),
  },
  'function',
);
const choice = (words: string): Shape =>
  textOr(
    one(words),
    by('type', {
      ...kinds('function', fields({ 'function!': fields({ 'name!': filled }) })),
      custom: fields({ 'custom!': fields({ 'name!': filled }) }),
      allowed_tools: fields({ 'allowed_tools!': object }),
    }),
  );

/** `Invalid key in 'logit_bias': hello. You should only be submitting non-negative integers.` */
const biases: Shape = (value, path) =>
  isObject(value) && Object.keys(value).every((key) => /^\d+$/.test(key))
    ? undefined
    : { path, is: value, must: 'an object of numbers of tokens' };

/** Fields that do not go together, each with what it needs. */
const together: Shape = (value, path) => {
  const head = value as JsonObject;
  const given = (name: string): boolean => head[name] !== undefined && head[name] !== null;
  if (given('max_tokens') && given('max_completion_tokens'))
    return {
      path: [...path, 'max_tokens'],
      is: head.max_tokens as Json,
      must: 'absent beside max_completion_tokens',
      mend: { path: ['max_tokens'] },
    };
  if (given('stream_options') && head.stream !== true)
    return {
      path: [...path, 'stream_options'],
      is: head.stream_options as Json,
      must: 'absent where nothing is streamed',
      mend: { path: ['stream_options'] },
    };
  return undefined;
};

export const openaiHead: Shape = all(
  fields({
    model: filled,
    tools: list(tool, { drops: true }),
    tool_choice: choice('none auto required'),
    response_format: format,
    stop: textOr(text, list(text)),
    n: between(1, 128),
    seed: whole,
    logprobs: flag,
    parallel_tool_calls: flag,
    logit_bias: biases,
    modalities: list(one('text audio')),
    reasoning_effort: one('none minimal low medium high xhigh max'),
    verbosity: one('low medium high'),
    service_tier: one('auto default flex scale priority fast'),
    store: flag,
    stream: flag,
  }),
  together,
);

// Mistral's servers are lenient about what they can fill in by themselves.
const mistralPart = by('type', {
  text: fields({ 'text!': text }),
  image_url: fields({ 'image_url!': textOr(text, url) }),
  document_url: fields({ 'document_url!': text }),
  ...kinds('file input_audio reference thinking'),
});
const mistralContent = textOr(text, list(mistralPart));
const mistralCall = by(
  'type',
  {
    function: fields({
      'id!': text,
      'function!': fields({
        'name!': filled,
        'arguments!': orGiven((value, path) => (isObject(value) ? undefined : args(value, path)), '{}'),
      }),
    }),
  },
  'function',
);

export const mistralMessage: Shape = by('role', {
  system: fields({ 'content!': mistralContent }, FOREIGN),
  user: fields({ 'content!': mistralContent }, FOREIGN),
  assistant: fields({ content: mistralContent, tool_calls: list(mistralCall) }, FOREIGN),
  tool: fields({ 'content!': orGiven(mistralContent, ''), tool_call_id: text }, FOREIGN),
  // Another rule makes it the system.
  developer: anything,
});

export const mistralHead: Shape = fields({
  model: filled,
  tools: list(
    by(
      'type',
      {
        function: fields({ 'function!': fn }, TOOL_FOREIGN),
        ...kinds('web_search web_search_premium code_interpreter image_generation document_library connector'),
      },
      'function',
    ),
    { drops: true },
  ),
  tool_choice: choice('auto none any required'),
  response_format: by('type', {
    text: anything,
    json_object: anything,
    json_schema: fields({ 'json_schema!': fields({ 'schema!': object }) }),
  }),
  prompt_mode: only('reasoning'),
  random_seed: whole,
  safe_prompt: flag,
  stream: flag,
});

const coherePart = by('type', {
  text: fields({ 'text!': text }),
  image_url: fields({
    'image_url!': fields({
      'url!': matching(/^(https?:\/\/.|data:image\/[a-z.+-]+;base64,.)/i, 'an address, or a data: URL of an image'),
      detail: one('auto low high'),
    }),
  }),
});
const cohereSaid = textOr(
  text,
  list(by('type', { text: fields({ 'text!': text }), thinking: fields({ 'thinking!': text }) })),
);
const cohereShown = textOr(
  text,
  list(by('type', { text: fields({ 'text!': text }), document: fields({ 'document!': object }), image_url: anything })),
);

export const cohereMessage: Shape = by('role', {
  system: fields({ 'content!': textOr(text, list(by('type', { text: fields({ 'text!': text }) }))) }, FOREIGN),
  user: fields({ 'content!': textOr(text, list(coherePart)) }, FOREIGN),
  assistant: fields({ content: cohereSaid, tool_calls: list(called), tool_plan: text }, FOREIGN),
  tool: fields({ 'content!': orGiven(cohereShown, ''), 'tool_call_id!': filled }, FOREIGN),
  developer: anything,
});

export const cohereHead: Shape = fields({
  model: filled,
  tools: list(
    by('type', { function: fields({ 'type!': only('function'), 'function!': fn }, TOOL_FOREIGN) }, 'function'),
    { drops: true },
  ),
  response_format: by('type', { text: anything, json_object: fields({ json_schema: object }) }),
  safety_mode: one('CONTEXTUAL STRICT OFF'),
  thinking: fields({ 'type!': one('enabled disabled'), token_budget: whole }),
  strict_tools: flag,
  stream: flag,
});
