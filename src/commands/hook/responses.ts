// Results of tools as hooks are told of them, and as hooks change them.

import type { Part, ToolResultPart } from '../../lib/conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { knownAs } from '../../lib/permissions/rule.ts';

/** The text of a result's parts. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n');
}

/** `tool_response` of a tool: the fields that Claude Code's own tools have, where they can be told from the text. */
export function responseOf(name: string, input: Json, parts: readonly Part[]): Json {
  const text = textOf(parts);
  const filePath = isObject(input) ? (input.file_path ?? input.path ?? input.notebook_path) : undefined;
  switch (knownAs(name)) {
    case 'Bash':
      return { stdout: text, stderr: '', interrupted: false, isImage: false };
    case 'Write':
    case 'Edit':
      return { ...(filePath !== undefined && { filePath }), success: true, message: text };
    case 'Read':
      return { type: 'text', file: { ...(filePath !== undefined && { filePath }), content: text } };
    default:
      return name.startsWith('mcp__') ? blocksOf(parts) : { content: text };
  }
}

/** Content blocks as in MCP. */
function blocksOf(parts: readonly Part[]): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    if (part.type === 'text' || part.type === 'refusal') return [{ type: 'text', text: part.text }];
    if (part.type !== 'media' || part.source.type !== 'data') return [];
    const { data, mime } = part.source;
    return [{ type: part.kind === 'audio' ? 'audio' : 'image', data, ...(mime && { mimeType: mime }) }];
  });
}

/** Content for a record of ours: a text, if it is nothing else. */
export const contentOf = (parts: readonly Part[]): Json =>
  parts.every(({ type }) => type === 'text') ? textOf(parts) : blocksOf(parts);

/** A result whose output a hook has replaced: a text, content blocks, or anything else as JSON. */
export function withOutput(part: ToolResultPart, output: Json): ToolResultPart {
  const { form: _form, ...rest } = part;
  return { ...rest, parts: partsOf(output) };
}

function partsOf(output: Json): Part[] {
  if (typeof output === 'string') return [{ type: 'text', text: output }];
  const list = Array.isArray(output)
    ? output
    : isObject(output) && Array.isArray(output.content)
      ? output.content
      : undefined;
  const texts = list?.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
  if (texts !== undefined && texts.length === list?.length) return texts.map((text) => ({ type: 'text', text }));
  const known = isObject(output) ? (output.stdout ?? output.content) : undefined;
  return [{ type: 'text', text: typeof known === 'string' ? known : JSON.stringify(output) }];
}
