// Ollama's own chat API. https://docs.ollama.com/api/chat
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
import { OLLAMA } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const ollama: Format = {
  name: OLLAMA,
  summary: 'Ollama chat',
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
  framing: 'lines',
  recogniseEvent,
  openStream,
  writeStream,
  openWriter,
};
