// What the Responses API demands. https://platform.openai.com/docs/api-reference/responses/create
import { anyOf, COMMON_IMAGES, type Constraints, wordOf } from '../constraints.ts';

export const constraints: Constraints = {
  ids: anyOf(64),
  callsById: true,
  names: wordOf(64),
  tools: 128,
  customTools: true,
  temperature: [0, 2],
  topP: [0, 1],
  stops: 0,
  maxTokens: { least: 16 },
  refusedMedia: ['video'],
  imageTypes: COMMON_IMAGES,
  results: 'later',
  schemas: { usual: 'openai', strict: 'openai-strict', objectRoot: true },
  namedSchemas: true,
};
