// What the Messages API demands. https://platform.claude.com/docs/en/api/messages/create
import { COMMON_IMAGES, type Constraints, wordOf } from '../constraints.ts';

export const constraints: Constraints = {
  // Its errors, quoted in https://github.com/badlogic/pi-mono (ids) and https://github.com/BerriAI/litellm/issues/16525 (`ids must be unique`).
  ids: wordOf(64),
  callsById: true,
  uniqueIds: true,
  // `String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`: https://github.com/home-assistant/core/issues/147760. It was 64 until 2025.
  names: wordOf(128),
  uniqueNames: true,
  temperature: [0, 1],
  topP: [0, 1],
  topK: [0, Number.MAX_SAFE_INTEGER],
  blankStopsRefused: true,
  maxTokens: { required: true, least: 0 },
  thinkingBudget: true,
  signedThoughts: true,
  // https://platform.claude.com/docs/en/build-with-claude/vision
  refusedMedia: ['audio', 'video'],
  mediaRoles: ['user', 'tool'],
  imageBytes: 5 * 1024 * 1024,
  images: 100,
  imageTypes: COMMON_IMAGES,
  documentsAsText: true,
  results: 'turn',
  blankTexts: 'refused',
  emptyMessages: 'refused-before-last',
  failedResultsText: true,
  laterSystem: 'behind-user',
  schemas: { usual: 'anthropic', strict: 'anthropic-strict', objectRoot: true },
};
