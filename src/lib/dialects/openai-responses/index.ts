// OpenAI Responses. https://platform.openai.com/docs/api-reference/responses
import { FROM_CHAT } from '../openai/shared.ts';
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { ECHOES } from './echoes.ts';
import { endpoint } from './endpoint.ts';
import { RESPONSES } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const openaiResponses: Format = {
  ...codec,
  name: RESPONSES,
  summary: 'OpenAI Responses',
  messagesKey: 'input',
  endpoint,
  listMessages: (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : undefined),
  recognise,
  echoes: ECHOES,
  takes: { openai: FROM_CHAT },
  recogniseEvent,
  constraints,
};
