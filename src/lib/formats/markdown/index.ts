// Markdown: to read, to mail, and to write conversations by hand.
import type { TextFormat } from '../types.ts';
import { read } from './read.ts';
import { MarkdownWriter } from './write.ts';

export const markdown: TextFormat = {
  name: 'markdown',
  summary: 'Markdown, a heading for each turn',
  read,
  write: () => new MarkdownWriter(),
};
