// A content that is a string, or a list of what each API calls its parts.

import type { Part } from '../../conversation/types.ts';
import { ShapeError } from '../../json/values.ts';

/** The parts of a content: a string, a list that `read` reads item by item, null or nothing. Throws a ShapeError. */
export function readContentAs(content: unknown, read: (native: unknown, index: number) => Part): Part[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (Array.isArray(content)) return content.map(read);
  throw new ShapeError('content', 'a string or an array', content);
}
