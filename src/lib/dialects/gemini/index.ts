// Gemini's generateContent, of the developer API and of Vertex AI. https://ai.google.dev/api/generate-content
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { endpoint } from './endpoint.ts';
import { listContents } from './list-contents.ts';
import { GEMINI } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const gemini: Format = {
  ...codec,
  name: GEMINI,
  summary: 'Gemini generateContent',
  messagesKey: 'contents',
  endpoint,
  listMessages: listContents,
  recognise,
  recogniseEvent,
  constraints,
};
