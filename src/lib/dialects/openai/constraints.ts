// What Chat Completions demands. https://platform.openai.com/docs/api-reference/chat/create
import { anyOf, COMMON_IMAGES, type Constraints, wordOf } from '../constraints.ts';

export const constraints: Constraints = {
  otherServers: { ownFamily: 'gpt', idLength: 64 },
  chatTemplates: true,
  // `string too long … maximum length 40`
  ids: anyOf(40),
  callsById: true,
  names: wordOf(64),
  tools: 128,
  customTools: true,
  temperature: [0, 2],
  topP: [0, 1],
  penalty: [-2, 2],
  stops: 4,
  maxTokens: { least: 1 },
  refusedMedia: ['video'],
  mediaRoles: ['user'],
  mediaOfResults: true,
  imageTypes: COMMON_IMAGES,
  audioModels: /audio|realtime/,
  documentUrlsRefused: true,
  results: 'messages',
  emptyMessages: 'refused-null',
  systemAlone: true,
  schemas: { usual: 'openai', strict: 'openai-strict', objectRoot: true },
  namedSchemas: true,
};
