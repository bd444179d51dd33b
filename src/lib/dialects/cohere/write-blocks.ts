// Parts to content blocks.

import type { Lose, MediaPart, Part, TextPart } from '../../conversation/types.ts';
import { isObject, type Json, type JsonObject } from '../../json/values.ts';
import { describeDocument, sayMedia } from '../codec/documents.ts';
import { nameOf } from '../codec/fields.ts';
import { own } from '../codec/residual.ts';
import { COHERE } from './name.ts';

/** A content, spelled as it was; one that comes from another format as simply as can be. undefined: no such field. */
export function writeContent(all: readonly Part[], form: string | undefined, lose: Lose): Json | undefined {
  const parts = form === undefined ? all.filter((part) => part.type !== 'text' || part.text !== '') : all;
  const [only] = parts;
  if (only === undefined) return EMPTY[form ?? 'string'];
  if (form !== 'blocks' && parts.length === 1 && only.type === 'text' && !own(only.ext, COHERE)) {
    sayText(only, lose);
    return only.text;
  }
  const blocks = parts.map((part) => writeBlock(part, lose)).filter((block) => block !== undefined);
  return blocks.length === 0 && form === undefined ? '' : blocks;
}

const EMPTY: { readonly [form: string]: Json | undefined } = { null: null, absent: undefined, blocks: [], string: '' };

export const REFUSED = 'written as text: the API has no refusals';

/** One part as a block; undefined if there is none for it, which is said. */
function writeBlock(part: Part, lose: Lose): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      sayText(part, lose);
      return writeText(part);
    case 'refusal':
      lose('refusal', REFUSED);
      return { type: 'text', text: part.text };
    case 'reasoning':
      if (part.signature !== undefined || part.redacted !== undefined)
        lose('reasoning signature', 'only the provider that created it can read it');
      return part.text === undefined ? undefined : { ...own(part.ext, COHERE), type: 'thinking', thinking: part.text };
    case 'media':
      return writeMedia(part, lose);
    case 'native':
      if (part.format === COHERE) return part.value as JsonObject;
      lose(nameOf(part.value), 'only its own API can use it');
      return undefined;
    case 'tool_call':
    case 'tool_result':
      throw new TypeError(`a ${part.type} is not a block`);
  }
}

export function sayText(part: TextPart, lose: Lose): void {
  if (part.cache) lose('cache_control', 'the API caches automatically');
}

/** A document goes back as one, as long as its text still says what it is. */
function writeText({ text, form, ext }: TextPart): JsonObject {
  const { document, ...kept } = own(ext, COHERE) ?? {};
  const spelled = form?.[COHERE];
  if (spelled === 'document of text')
    return { ...kept, type: 'document', document: { ...(document as JsonObject), data: text } };
  const data = spelled === 'document' ? parsed(text) : undefined;
  if (isObject(data)) return { ...kept, type: 'document', document: { ...(document as JsonObject), data } };
  return { ...kept, type: 'text', text };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeMedia(part: MediaPart, lose: Lose): JsonObject | undefined {
  if (part.cache) lose('cache_control', 'the API caches automatically');
  const text = describeDocument(part, lose);
  if (text !== undefined) return { type: 'text', text };
  if (part.kind !== 'image') return sayMedia(part, 'messages contain only text and images', lose);
  const { source, detail } = part;
  if (source.type !== 'url' && source.type !== 'data') return sayMedia(part, 'an image needs a URL or its bytes', lose);
  const url = source.type === 'url' ? source.url : `data:${source.mime ?? 'image/png'};base64,${source.data}`;
  const kept = own(part.ext, COHERE);
  const image_url = { ...(kept?.image_url as JsonObject), url, ...(detail !== undefined && { detail }) };
  return { ...kept, type: 'image_url', image_url };
}
