// What Cohere's API demands. https://docs.cohere.com/reference/chat
import { COMMON_IMAGES, type Constraints } from '../constraints.ts';

export const constraints: Constraints = {
  callsById: true,
  names: { pattern: /^[a-zA-Z_][a-zA-Z0-9_]*$/, most: 64, words: 'a letter or "_", then letters, digits and "_"' },
  temperature: [0, Number.MAX_SAFE_INTEGER],
  topP: [0.01, 0.99],
  topK: [0, 500],
  penalty: [0, 1],
  stops: 5,
  maxTokens: { least: 1 },
  refusedMedia: ['audio', 'video'],
  imageTypes: COMMON_IMAGES,
  foreignFilesRefused: true,
  results: 'messages',
  emptyMessages: 'refused',
  // `json_object` is `not supported when used in combination with tools or documents`, by the client's own words.
  answerFormatAlone: true,
};
