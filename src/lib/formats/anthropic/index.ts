// Anthropic Messages. https://platform.claude.com/docs/en/api/messages
import type { Format } from '../types.ts';
import { readHead, writeHead } from './head.ts';
import { joins, readMessage, writeMessages } from './message.ts';
import { ANTHROPIC } from './name.ts';
import { plain } from './plain.ts';
import { recognise, recogniseEvent } from './recognise.ts';
import { readReply, writeReply } from './reply.ts';
import { AnthropicStream } from './stream.ts';
import { AnthropicWriter, writeStream } from './write-stream.ts';

export const anthropic: Format = {
  name: ANTHROPIC,
  summary: 'Anthropic Messages',
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
  recogniseEvent,
  openStream: () => new AnthropicStream(),
  writeStream,
  openWriter: (known) => new AnthropicWriter(known),
};
