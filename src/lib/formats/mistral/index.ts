// Mistral's chat completions. https://docs.mistral.ai/api/endpoint/chat
import { joins } from '../chat/turns.ts';
import type { Format } from '../types.ts';
import { readHead, writeHead } from './head.ts';
import { readMessage, writeMessages } from './message.ts';
import { MISTRAL } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { MistralStream } from './stream.ts';
import { MistralWriter, writeStream } from './write-stream.ts';

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
  openStream: () => new MistralStream(),
  writeStream,
  openWriter: (known, lose) => new MistralWriter(known, lose),
};
