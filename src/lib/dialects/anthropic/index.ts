// Anthropic Messages. https://platform.claude.com/docs/en/api/messages
import type { Format } from '../types.ts';
import * as codec from './codec.late.ts';
import { constraints } from './constraints.ts';
import { endpoint } from './endpoint.ts';
import { ANTHROPIC } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const anthropic: Format = {
  ...codec,
  name: ANTHROPIC,
  summary: 'Anthropic Messages',
  messagesKey: 'messages',
  endpoint,
  recognise,
  recogniseEvent,
  constraints,
};
