// Anthropic Messages. https://platform.claude.com/docs/en/api/messages
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
import { ANTHROPIC } from './name.ts';
import { recognise, recogniseEvent } from './recognise.ts';

export const anthropic: Format = {
  name: ANTHROPIC,
  summary: 'Anthropic Messages',
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
  recogniseEvent,
  openStream,
  writeStream,
  openWriter,
};
