// Mistral's chat completions. https://docs.mistral.ai/api/endpoint/chat
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
import { MISTRAL } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const mistral: Format = {
  name: MISTRAL,
  summary: 'Mistral chat completions',
  messagesKey: 'messages',
  dialectOf: 'openai',
  recognise,
  readHead,
  writeHead,
  readMessage,
  joins,
  writeMessages,
  readReply,
  writeReply,
  recogniseEvent,
  openStream,
  writeStream,
  openWriter,
};
