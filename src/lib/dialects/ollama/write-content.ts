// Parts to the string, the images and the thinking of a message.

import type { Lose, MediaPart, Part } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { describeDocument, sayMedia } from '../codec/documents.ts';
import { nameOf } from '../codec/fields.ts';

/** `content` and `images`. The string holds all texts, one after the other; where the images stood among them is lost, and said. */
export function writeContent(parts: readonly Part[], form: string | undefined, lose: Lose): JsonObject {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of parts) {
    const text = writeText(part, lose);
    if (text !== undefined && images.length > 0) lose('order', 'images are separate from the text, without a position');
    if (text !== undefined) texts.push(text);
    else if (part.type === 'media') images.push(...writeImage(part, lose));
  }
  const content = texts.length > 0 ? texts.join('') : EMPTY[form ?? 'string'];
  return { ...(content !== undefined && { content }), ...(images.length > 0 && { images }) };
}

const EMPTY: { readonly [form: string]: string | null | undefined } = { string: '', null: null, absent: undefined };

/** What a part says in text; undefined if it says nothing so. */
function writeText(part: Part, lose: Lose): string | undefined {
  switch (part.type) {
    case 'text':
      if (part.citations?.length) lose('citations', 'a text has none');
      if (part.cache) lose('cache_control', 'the server caches automatically');
      return part.text;
    case 'refusal':
      lose('refusal', 'written as text: the API has no refusals');
      return part.text;
    case 'media':
      if (part.cache) lose('cache_control', 'the server caches automatically');
      return describeDocument(part, lose);
    case 'native':
      lose(nameOf(part.value), 'only its own API can use it');
      return undefined;
    default:
      return undefined;
  }
}

/** Bytes in base64, without the prefix of a data URL. */
function writeImage(part: MediaPart, lose: Lose): string[] {
  const { kind, source, detail } = part;
  if (source.type === 'text' || source.type === 'parts') return [];
  if (kind !== 'image') sayMedia(part, 'messages contain only text and images', lose);
  else if (source.type !== 'data') sayMedia(part, 'an image needs its bytes', lose);
  else {
    if (detail !== undefined) lose('detail', 'images have one resolution');
    return [source.data];
  }
  return [];
}

export function writeThinking(parts: readonly Part[], lose: Lose): JsonObject | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    if (part.type !== 'reasoning') continue;
    if (part.signature !== undefined || part.redacted !== undefined)
      lose('reasoning signature', 'only the provider that created it can read it');
    if (part.text !== undefined) texts.push(part.text);
  }
  return texts.length > 0 ? { thinking: texts.join('') } : undefined;
}
