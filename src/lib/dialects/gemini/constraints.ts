// What the Gemini API demands. https://ai.google.dev/api/generate-content; names: https://ai.google.dev/api/caching#FunctionDeclaration
import type { Constraints } from '../constraints.ts';

export const constraints: Constraints = {
  names: {
    pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/,
    most: 128,
    words: 'a letter or "_", then letters, digits, "_", ".", ":" and "-"',
  },
  uniqueNames: true,
  namesInResults: true,
  tools: 512,
  temperature: [0, 2],
  topP: [0, 1],
  penalty: [-2, 2],
  stops: 5,
  maxTokens: { least: 1 },
  callSignatures: true,
  imageNames: true,
  store: 'gs://',
  anyFileUri: true,
  results: 'turn',
  emptyMessages: 'refused',
  userFirst: { unless: [] },
  laterSystem: 'marked',
  schemas: { usual: 'gemini-json', strict: 'gemini-json' },
};
