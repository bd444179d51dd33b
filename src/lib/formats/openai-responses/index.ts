// OpenAI Responses. https://platform.openai.com/docs/api-reference/responses
import { FROM_CHAT } from '../openai/shared.ts';
import type { Format } from '../types.ts';
import {
  joins,
  openStream,
  openWriter,
  readHead,
  readMessage,
  readReply,
  writeHead,
  writeMessages,
  writeReply,
  writeStream,
} from './codec.late.ts';
import { ECHOES } from './echoes.ts';
import { RESPONSES } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const openaiResponses: Format = {
  name: RESPONSES,
  summary: 'OpenAI Responses',
  messagesKey: 'input',
  listMessages: (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : undefined),
  recognise,
  readHead,
  writeHead,
  readMessage,
  joins,
  writeMessages,
  readReply,
  writeReply,
  echoes: ECHOES,
  takes: { openai: FROM_CHAT },
  recogniseEvent,
  openStream,
  writeStream,
  openWriter,
};
