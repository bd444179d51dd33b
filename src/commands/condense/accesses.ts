// Which calls read or write which lines of which file, by their names and arguments.

import type { ToolCallPart } from '../../lib/conversation/types.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { pathOf } from './placeholder.ts';

export interface Access {
  readonly path: string;
  readonly kind: 'read' | 'write';
  /** Lines, from and to; the whole file has all of them. */
  readonly from: number;
  readonly to: number;
}

/** The access of a call; undefined for an edit, a command, anything that holds no copy of what is in a file. */
export function accessOf(call: ToolCallPart): Access | undefined {
  const path = pathOf(call);
  const input = call.input as JsonObject;
  if (path === undefined) return undefined;
  const name = call.name.toLowerCase();
  if (/edit|replace|patch|insert|append|delete|remove|move|rename|list|glob|grep|search|find|diff/.test(name))
    return undefined;
  if (/write|create|save/.test(name) && hasContent(input))
    return { path, kind: 'write', from: 1, to: Number.POSITIVE_INFINITY };
  return /read|view|cat\b|open|get|fetch|show/.test(name) ? { path, kind: 'read', ...linesOf(input) } : undefined;
}

const hasContent = (input: JsonObject): boolean =>
  ['content', 'text', 'file_text', 'contents', 'data', 'new_content'].some((key) => typeof input[key] === 'string');

function linesOf(input: JsonObject): { from: number; to: number } {
  const range = input.view_range ?? input.range ?? input.lines ?? input.line_range;
  if (Array.isArray(range)) return lines(range[0], range[1]);
  const from = input.offset ?? input.start_line ?? input.startLine ?? input.line_start ?? input.start;
  const to = input.end_line ?? input.endLine ?? input.line_end ?? input.end;
  if (to !== undefined) return lines(from, to);
  const limit = input.limit ?? input.num_lines ?? input.head_limit ?? input.max_lines;
  const first = typeof from === 'number' ? from : 1;
  return typeof limit === 'number' ? lines(first, first + limit - 1) : lines(from, undefined);
}

/** -1, as some tools have it, is the end of the file. */
const lines = (from: unknown, to: unknown): { from: number; to: number } => ({
  from: typeof from === 'number' && from > 1 ? from : 1,
  to: typeof to === 'number' && to > 0 ? to : Number.POSITIVE_INFINITY,
});
