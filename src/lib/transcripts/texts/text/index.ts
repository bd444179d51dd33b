// Plain text: to read at a terminal, and to put a text into a conversation.
import type { TextFormat } from '../../../dialects/types.ts';
import { read } from './read.late.ts';
import { openWriter } from './write.late.ts';

export const text: TextFormat = {
  name: 'text',
  summary: 'plain text',
  read,
  write: openWriter,
};
