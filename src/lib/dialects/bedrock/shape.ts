// What Converse takes: the types of @aws-sdk/client-bedrock-runtime. Its errors: `ValidationException`, `Unexpected field type`, `extraneous key`.
import {
  anything,
  fields,
  filled,
  kinds,
  list,
  matching,
  object,
  one,
  only,
  orGiven,
  type Shape,
  text,
  union,
} from '../shapes.ts';

const cachePoint = fields({ 'type!': only('default'), ttl: one('5m 1h') });
const source = union(kinds('bytes s3Location text content'));
const shown = {
  text,
  image: fields({ 'format!': one('png jpeg gif webp'), 'source!': source }),
  document: fields({ format: one('pdf csv doc docx xls xlsx html txt md'), 'source!': source }),
  video: object,
  json: anything,
  searchResult: object,
};

const block = union({
  text,
  image: shown.image,
  document: shown.document,
  toolUse: fields({ 'toolUseId!': text, 'name!': filled, input: anything }),
  toolResult: fields({
    'toolUseId!': text,
    'content!': orGiven(list(union(shown)), [{ json: { output: '' } }]),
    status: one('success error'),
  }),
  cachePoint,
  ...kinds('video audio guardContent reasoningContent citationsContent searchResult toolAddition toolRemoval', object),
});

export const bedrockMessage: Shape = fields(
  { 'role!': one('user assistant system'), 'content!': list(block) },
  new Set(['tool_calls', 'tool_call_id', 'parts']),
);

const tool = union({
  toolSpec: fields(
    { 'name!': filled, description: text, 'inputSchema!': fields({ 'json!': object }) },
    new Set(['parameters', 'input_schema']),
  ),
  systemTool: fields({ 'name!': filled }),
  cachePoint,
});

export const bedrockHead: Shape = fields({
  system: list(union({ text, guardContent: object, cachePoint })),
  inferenceConfig: fields({ ...kinds('maxTokens temperature topP'), stopSequences: list(text) }, 'closed'),
  toolConfig: fields(
    {
      tools: list(tool, { least: 1, drops: true }),
      toolChoice: union({ ...kinds('auto any none', object), tool: fields({ 'name!': text }) }),
    },
    'closed',
  ),
  outputConfig: fields({
    textFormat: fields({
      'type!': only('json_schema'),
      'structure!': union({ jsonSchema: fields({ 'schema!': text }) }),
    }),
  }),
  requestMetadata: object,
  performanceConfig: object,
  additionalModelResponseFieldPaths: list(matching(/^\//, 'a JSON pointer')),
});
