// What Mistral's API demands. https://docs.mistral.ai/api
import { COMMON_IMAGES, type Constraints, wordOf } from '../constraints.ts';

export const constraints: Constraints = {
  // `Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9`: https://github.com/sst/opencode/issues/1680
  ids: { pattern: /^[a-zA-Z0-9]{9}$/, most: 9, words: 'nine letters or digits' },
  callsById: true,
  names: wordOf(64),
  namesInResults: true,
  temperature: [0, 1.5],
  topP: [0, 1],
  penalty: [-2, 2],
  maxTokens: { least: 1 },
  refusedMedia: ['video'],
  mediaRoles: ['user', 'tool'],
  imageTypes: COMMON_IMAGES,
  foreignFilesRefused: true,
  results: 'messages',
  emptyMessages: 'refused',
  // `Unexpected role 'user' after role 'tool'`: https://github.com/mistralai/mistral-common/issues/169
  assistantAfterResults: true,
};
