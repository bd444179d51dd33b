// What Chat takes: the types of openai (`chat/completions`); its errors: `Missing required parameter`, `Invalid value`, `[] is too short`.
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { called, choice, FOREIGN, fn, oneOf, TOOL_FOREIGN, url } from '../chat/shape.ts';
import {
  all,
  anything,
  between,
  by,
  fields,
  filled,
  flag,
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
} from '../shapes.ts';

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

/** `Expected a string that matches the pattern '^[^\s<|\\/>]+$'` */
const named = { name: matching(/^[^\s<|\\/>]+$/, 'a name without spaces and "<|\\/>"') };
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

const tool = by(
  'type',
  {
    function: fields({ 'type!': only('function'), 'function!': fn }, TOOL_FOREIGN),
    custom: fields({ 'custom!': fields({ 'name!': filled }) }),
  },
  'function',
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
