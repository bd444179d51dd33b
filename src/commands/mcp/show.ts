// What a server gave, for people and for pipes.

import { type Rec, record } from '../../lib/json/record.ts';
import { isObject, type Json, type JsonObject } from '../../lib/json/values.ts';
import { harmlessJson, withoutControls } from '../../lib/text/control-characters.ts';

/** A record of foreign data: nothing in it can reach a terminal. */
export const line = (value: Json): Rec => ({ value, source: `${harmlessJson(JSON.stringify(value))}\n` });

/** The texts of a CallToolResult; of what is no text, what it is. */
export function resultText({ content, structuredContent }: JsonObject): string {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  if (blocks.length === 0 && structuredContent !== undefined)
    return `${harmlessJson(JSON.stringify(structuredContent))}\n`;
  return ended(blocks.map(blockText).join('\n'));
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function blockText(block: JsonObject): string {
  const { type, text, data, mimeType, resource, uri, name } = block;
  if (typeof text === 'string') return withoutControls(text);
  if (isObject(resource)) return contentText(resource);
  if (typeof data === 'string') return `(${type}, ${mimeType ?? 'of no type'}, ${bytesIn(data)} bytes: --json has it)`;
  if (type === 'resource_link') return withoutControls(`${typeof name === 'string' ? `${name}: ` : ''}${String(uri)}`);
  return harmlessJson(JSON.stringify(block));
}

const bytesIn = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

function contentText({ text, blob, mimeType, uri }: JsonObject): string {
  if (typeof text === 'string') return withoutControls(text);
  if (typeof blob === 'string') return `(${mimeType ?? 'of no type'}, ${bytesIn(blob)} bytes: --json has it)`;
  return withoutControls(String(uri ?? ''));
}

/** What resources hold. */
export function resourceText({ contents }: JsonObject): string {
  const all = Array.isArray(contents) ? contents.filter(isObject) : [];
  return ended(all.map(contentText).join('\n'));
}

/** The messages of a prompt, as a conversation that every dialect can read where it is text. */
export function promptRecords({ messages }: JsonObject): Rec[] {
  const all = Array.isArray(messages) ? messages.filter(isObject) : [];
  return all.map(({ role, content }) => {
    const blocks = (Array.isArray(content) ? content : [content]).filter(isObject);
    return record({ role: role === 'assistant' ? 'assistant' : 'user', content: blocks.map(blockText).join('\n') });
  });
}
