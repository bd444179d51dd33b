// Content blocks to parts: https://docs.cohere.com/v2/reference/chat

import type { Form, Part } from '../../conversation/types.ts';
import { asObject, asString, isObject, type JsonObject } from '../../json/values.ts';
import { readContentAs } from '../codec/content.ts';
import { readUrl } from '../codec/data-url.ts';
import { residual } from '../codec/residual.ts';
import { COHERE } from './name.ts';
import type { Block, BlockOf, DocumentFields, ImageUrlFields } from './types.ts';

/** `content` of any message: a string, a list of blocks, null or nothing. An empty string holds no part. */
export function readContent(content: unknown): Part[] {
  return content === '' ? [] : readContentAs(content, readBlock);
}

/** How a content was spelled: `absent`, `null`, `string` or `blocks`. */
export function formOf(content: unknown): Form {
  const spelled = content === undefined ? 'absent' : content === null ? 'null' : 'blocks';
  return { [COHERE]: typeof content === 'string' ? 'string' : spelled };
}

function readBlock(native: unknown, index: number): Part {
  const block = asObject<JsonObject>(native, `content[${index}]`);
  const reader = typeof block.type === 'string' ? readers.get(block.type) : undefined;
  return reader ? reader(block as never) : { type: 'native', format: COHERE, value: block };
}

const table: { readonly [T in Block['type']]: (block: BlockOf<T>) => Part } = {
  text: readText,
  thinking: readThinking,
  image_url: readImage,
  document: readDocument,
};
const readers = new Map(Object.entries(table));

function readText({ type: _, text, ...rest }: BlockOf<'text'>): Part {
  return { type: 'text', text: asString(text, 'text'), ext: residual(COHERE, rest) };
}

function readThinking({ type: _, thinking, ...rest }: BlockOf<'thinking'>): Part {
  return { type: 'reasoning', text: asString(thinking, 'thinking'), ext: residual(COHERE, rest) };
}

function readImage({ type: _, image_url, ...rest }: BlockOf<'image_url'>): Part {
  const { url, detail, ...more }: ImageUrlFields = asObject(image_url, 'image_url');
  const known = typeof detail === 'string';
  const inner = residual(COHERE, more, { detail: known ? undefined : detail })?.[COHERE];
  const source = readUrl(asString(url, 'image_url.url'));
  const ext = residual(COHERE, rest, { image_url: inner });
  return { type: 'media', kind: 'image', source, ...(known && { detail }), ext };
}

/** What a tool found: text to the model, whatever its fields are. */
function readDocument({ type: _, document, ...rest }: BlockOf<'document'>): Part {
  const { data, id, ...more }: DocumentFields = asObject(document, 'document');
  const inner = residual(COHERE, more, { id })?.[COHERE];
  const text = isObject(data) ? JSON.stringify(data) : asString(data, 'document.data');
  const form = { [COHERE]: isObject(data) ? 'document' : 'document of text' };
  return { type: 'text', text, form, ext: residual(COHERE, rest, { document: inner }) };
}
