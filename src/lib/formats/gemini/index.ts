// Gemini's generateContent, of the developer API and of Vertex AI. https://ai.google.dev/api/generate-content
import type { Format } from '../types.ts';
import { readHead, writeHead } from './head.ts';
import { listContents } from './list-contents.ts';
import { GEMINI } from './name.ts';
import { readMessage } from './read-content.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { GeminiStream } from './stream.ts';
import { joins, writeMessages } from './write-content.ts';
import { GeminiWriter, writeStream } from './write-stream.ts';

export const gemini: Format = {
  name: GEMINI,
  summary: 'Gemini generateContent',
  messagesKey: 'contents',
  listMessages: listContents,
  recognise,
  readHead,
  writeHead,
  readMessage,
  joins,
  writeMessages,
  readReply,
  writeReply,
  recogniseEvent,
  openStream: () => new GeminiStream(),
  writeStream,
  openWriter: (known, lose) => new GeminiWriter(known, lose),
};
