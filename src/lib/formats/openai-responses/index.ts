// OpenAI Responses. https://platform.openai.com/docs/api-reference/responses
import { FROM_CHAT } from '../openai/shared.ts';
import type { Format } from '../types.ts';
import { ECHOES } from './echoes.ts';
import { readHead, writeHead } from './head.ts';
import { ResponsesWriter } from './live-writer.ts';
import { RESPONSES } from './name.ts';
import { readMessage } from './read-message.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { ResponsesStream } from './stream.ts';
import { joins, writeMessages } from './write-items.ts';
import { writeStream } from './write-stream.ts';

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
  openStream: () => new ResponsesStream(),
  writeStream,
  openWriter: (known) => new ResponsesWriter(known),
};
