// OpenAI Chat Completions, and what compatible servers speak. https://platform.openai.com/docs/api-reference/chat
import type { Format } from '../types.ts';
import {
  joins,
  openPlain,
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
import { OPENAI } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { FROM_RESPONSES } from './shared.ts';

export const openai: Format = {
  name: OPENAI,
  summary: 'OpenAI Chat Completions',
  messagesKey: 'messages',
  recognise,
  readHead,
  writeHead,
  readMessage,
  openPlain,
  joins,
  writeMessages,
  readReply,
  writeReply,
  takes: { 'openai-responses': FROM_RESPONSES },
  recogniseEvent,
  openStream,
  writeStream,
  openWriter,
};
