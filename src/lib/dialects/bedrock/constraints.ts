// What Converse demands. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html and API_runtime_ToolUseBlock.html
import { COMMON_IMAGES, type Constraints, wordOf } from '../constraints.ts';

export const constraints: Constraints = {
  ids: wordOf(64),
  callsById: true,
  uniqueIds: true,
  names: wordOf(64),
  uniqueNames: true,
  // `The toolConfig field must be defined when using toolUse and toolResult`: https://github.com/vxcontrol/pentagi/pull/196
  calledToolsListed: true,
  temperature: [0, 1],
  topP: [0, 1],
  maxTokens: { least: 1 },
  // It hands Anthropic's fields to Anthropic's models.
  thinkingBudget: true,
  signedThoughts: true,
  mediaRoles: ['user', 'tool'],
  imageBytes: 3.75 * 1024 * 1024,
  images: 20,
  imageTypes: COMMON_IMAGES,
  store: 's3://',
  results: 'turn',
  blankTexts: 'refused-alone',
  emptyMessages: 'refused',
  // `A conversation must start with a user message`, but not for these, as recorded and in
  // https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/bedrock.py
  userFirst: { unless: ['claude', 'qwen'] },
  schemas: { usual: 'bedrock', strict: 'anthropic-strict', objectRoot: true },
};
