// What Mistral's API takes: the types of @mistralai/mistralai (`models/components`); its errors: `extra_forbidden`.
import { isObject } from '../../json/values.ts';
import { args, choice, FOREIGN, fn, TOOL_FOREIGN, url } from '../chat/shape.ts';
import {
  anything,
  by,
  fields,
  filled,
  flag,
  kinds,
  list,
  object,
  only,
  orGiven,
  type Shape,
  text,
  textOr,
  whole,
} from '../shapes.ts';

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
