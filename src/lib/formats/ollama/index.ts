// Ollama's own chat API. https://docs.ollama.com/api/chat
import { joins } from '../chat/turns.ts';
import type { Format } from '../types.ts';
import { readHead, writeHead } from './head.ts';
import { readMessage, writeMessages } from './message.ts';
import { OLLAMA } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { OllamaStream } from './stream.ts';
import { OllamaWriter, writeStream } from './write-stream.ts';

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
  openStream: () => new OllamaStream(),
  writeStream,
  openWriter: (known, lose) => new OllamaWriter(known, lose),
};
