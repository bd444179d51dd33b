// HTML: one page that needs nothing but itself. Calls, reasoning and long results fold away without a script.
import type { TextFormat } from '../../../dialects/types.ts';
import { openWriter } from './write.late.ts';

export const html: TextFormat = {
  name: 'html',
  summary: 'one HTML page',
  write: openWriter,
};
