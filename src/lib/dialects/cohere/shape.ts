// What Cohere's API takes: the types of cohere-ai (`api/types`).
import { called, FOREIGN, fn, TOOL_FOREIGN } from '../chat/shape.ts';
import {
  anything,
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
