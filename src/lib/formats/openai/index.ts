// OpenAI Chat Completions, and what compatible servers speak. https://platform.openai.com/docs/api-reference/chat
import type { Format } from '../types.ts';
import { readHead, writeHead } from './head.ts';
import { OPENAI } from './name.ts';
import { plain } from './plain.ts';
import { readMessage } from './read-message.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { FROM_RESPONSES } from './shared.ts';
import { OpenAIStream } from './stream.ts';
import { joins, writeMessages } from './write-message.ts';
import { OpenAIWriter, writeStream } from './write-stream.ts';

export const openai: Format = {
  name: OPENAI,
  summary: 'OpenAI Chat Completions',
  messagesKey: 'messages',
  recognise,
  readHead,
  writeHead,
  readMessage,
  plain,
  joins,
  writeMessages,
  readReply,
  writeReply,
  takes: { 'openai-responses': FROM_RESPONSES },
  recogniseEvent,
  openStream: () => new OpenAIStream(),
  writeStream,
  openWriter: (known) => new OpenAIWriter(known),
};
