// Results of tools as messages of a dialect.

import type { Message, Part, ToolResultPart } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import type { Format } from '../types.ts';

/** What a tool gave back: a text, or content blocks as in MCP (https://modelcontextprotocol.io/specification/2025-06-18/server/tools). */
export type Content = string | readonly JsonObject[];

export interface Result {
  readonly id: string;
  readonly name: string;
  /** The call was free text by its tool's definition. */
  readonly custom?: true;
  readonly content: Content;
  readonly error: boolean;
  /** What `_meta.runs` says of it. */
  readonly facts: JsonObject;
}

/**
 * The native messages of results that stand together: one, or one for each, as the dialect has it, and whatever must follow them. What is known of
 * the runs is in `_meta.runs`, in the order of the results.
 */
export function writeResults(format: Format, results: readonly Result[]): JsonObject[] {
  const messages = results.map((result): Message => ({ role: 'tool', parts: [partOf(result)] }));
  const natives = format.writeMessages(messages, () => {});
  if (natives.length < results.length) {
    const [first, ...rest] = natives;
    return first === undefined ? [] : [{ ...first, _meta: { runs: results.map(({ facts }) => facts) } }, ...rest];
  }
  return natives.map((native, i) => {
    const result = results[i];
    return result ? { ...native, _meta: { runs: [result.facts] } } : native;
  });
}

const known = new WeakMap<Format, boolean>();

/** Whether a dialect keeps the results of one turn in one message. */
export function joinsResults(format: Format): boolean {
  const before = known.get(format);
  if (before !== undefined) return before;
  const result = (id: string): Result => ({ id, name: 'tool', content: 'text', error: false, facts: {} });
  const joins = writeResults(format, [result('a'), result('b')]).length === 1;
  known.set(format, joins);
  return joins;
}

function partOf({ id, name, custom, content, error }: Result): ToolResultPart {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content.map(readBlock);
  return { type: 'tool_result', callId: id, name, parts, ...(error && { error }), ...(custom && { custom }) };
}

const MEDIA = { image: 'image', audio: 'audio' } as const;

/** A content block of MCP. One that is not known is shown as JSON. */
function readBlock(block: JsonObject): Part {
  const { type, text, data, mimeType, resource, uri, name } = block;
  const mime = typeof mimeType === 'string' ? mimeType : undefined;
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { type: 'media', kind: MEDIA[type], source: { type: 'data', data, ...(mime && { mime }) } };
  if (type === 'resource' && isObject(resource)) return readResource(resource);
  if (type === 'resource_link' && typeof uri === 'string')
    return { type: 'text', text: `${typeof name === 'string' ? `${name}: ` : ''}${uri}` };
  return { type: 'text', text: JSON.stringify(block) };
}

function readResource({ uri, mimeType, text, blob }: JsonObject): Part {
  const mime = typeof mimeType === 'string' ? mimeType : undefined;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof blob !== 'string') return { type: 'text', text: String(uri ?? '') };
  const kind = mime?.startsWith('image/') ? 'image' : mime?.startsWith('audio/') ? 'audio' : 'document';
  return { type: 'media', kind, source: { type: 'data', data: blob, ...(mime && { mime }) } };
}
