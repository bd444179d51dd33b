// OpenAI Chat Completions, and what compatible servers speak. https://platform.openai.com/docs/api-reference/chat
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { endpoint } from './endpoint.ts';
import { OPENAI } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { FROM_RESPONSES } from './shared.ts';

export const openai: Format = {
  ...codec,
  name: OPENAI,
  summary: 'OpenAI Chat Completions',
  messagesKey: 'messages',
  endpoint,
  recognise,
  takes: { 'openai-responses': FROM_RESPONSES },
  recogniseEvent,
  constraints,
};
