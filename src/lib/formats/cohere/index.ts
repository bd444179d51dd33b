// Cohere's chat API, version 2. https://docs.cohere.com/v2/reference/chat
import { joins } from '../chat/turns.ts';
import type { Format } from '../types.ts';
import { readHead, writeHead } from './head.ts';
import { readMessage, writeMessages } from './message.ts';
import { COHERE } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { CohereStream } from './stream.ts';
import { CohereWriter, writeStream } from './write-stream.ts';

export const cohere: Format = {
  name: COHERE,
  summary: 'Cohere chat, version 2',
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
  openStream: () => new CohereStream(),
  writeStream,
  openWriter: (known, lose) => new CohereWriter(known, lose),
};
