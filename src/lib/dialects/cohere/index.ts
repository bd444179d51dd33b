// Cohere's chat API, version 2. https://docs.cohere.com/v2/reference/chat
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { endpoint } from './endpoint.ts';
import { COHERE } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const cohere: Format = {
  ...codec,
  name: COHERE,
  summary: 'Cohere chat, version 2',
  messagesKey: 'messages',
  endpoint,
  dialectOf: 'openai',
  recognise,
  recogniseEvent,
  constraints,
};
