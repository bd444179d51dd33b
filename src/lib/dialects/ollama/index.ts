// Ollama's own chat API. https://docs.ollama.com/api/chat
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { endpoint } from './endpoint.ts';
import { OLLAMA } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const ollama: Format = {
  ...codec,
  name: OLLAMA,
  summary: 'Ollama chat',
  messagesKey: 'messages',
  endpoint,
  dialectOf: 'openai',
  recognise,
  framing: 'lines',
  recogniseEvent,
  constraints,
};
