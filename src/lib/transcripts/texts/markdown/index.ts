// Markdown: to read, to mail, and to write conversations by hand.
import type { TextFormat } from '../../../dialects/types.ts';
import { read } from './read.late.ts';
import { openWriter } from './write.late.ts';

export const markdown: TextFormat = {
  name: 'markdown',
  summary: 'Markdown, a heading for each turn',
  read,
  write: openWriter,
};
