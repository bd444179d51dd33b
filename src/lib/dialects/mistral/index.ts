// Mistral's chat completions. https://docs.mistral.ai/api/endpoint/chat
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { endpoint } from './endpoint.ts';
import { MISTRAL } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const mistral: Format = {
  ...codec,
  name: MISTRAL,
  summary: 'Mistral chat completions',
  messagesKey: 'messages',
  endpoint,
  dialectOf: 'openai',
  recognise,
  recogniseEvent,
  constraints,
};
