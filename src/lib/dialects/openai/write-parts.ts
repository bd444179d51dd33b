// Parts to content parts.

import type { Lose, MediaPart, Part } from '../../conversation/types.ts';
import type { Json, JsonObject } from '../../json/values.ts';
import { writeUrl } from '../codec/data-url.ts';
import { documentText } from '../codec/document-text.ts';
import { nameOf } from '../codec/fields.ts';
import { own } from '../codec/residual.ts';
import { writeCache } from './cache.ts';
import { OPENAI } from './name.ts';

/** One part as a content part; undefined if there is none for it, which is said. */
function writePart(part: Part, lose: Lose): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return {
        ...own(part.ext, OPENAI),
        type: 'text',
        text: part.text,
        ...writeCache(part.cache, part.form?.[OPENAI]),
      };
    case 'refusal':
      return { ...own(part.ext, OPENAI), type: 'refusal', refusal: part.text };
    case 'media':
      return writeMedia(part, lose);
    case 'native':
      if (part.format === OPENAI) return part.value as JsonObject;
      lose(nameOf(part.value), 'only its own API can use it');
      return undefined;
    case 'reasoning':
      lose('reasoning', 'only assistant messages have it');
      return undefined;
    case 'tool_call':
    case 'tool_result':
      lose(part.type.replace('_', ' '), 'messages of this role cannot contain it');
      return undefined;
  }
}

function writeMedia(part: MediaPart, lose: Lose): JsonObject | undefined {
  const kept = own(part.ext, OPENAI);
  const cache = writeCache(part.cache, part.form?.[OPENAI]);
  const { source } = part;
  if (part.kind === 'image') {
    const url = writeUrl(source, 'image/png');
    if (url === undefined) return lost(part, 'an image needs a URL or its bytes', lose);
    if (part.form?.[OPENAI] === 'bare') return { ...kept, type: 'image_url', image_url: url };
    const image_url = {
      ...(kept?.image_url as JsonObject),
      url,
      ...(part.detail !== undefined && { detail: part.detail }),
    };
    return { ...kept, type: 'image_url', image_url, ...cache };
  }
  if (part.kind === 'audio') {
    const format =
      source.type === 'data' ? source.mime?.replace(/^audio\/(x-)?/, '').replace('mpeg', 'mp3') : undefined;
    if (source.type !== 'data' || format === undefined) return lost(part, 'audio needs its bytes', lose);
    return {
      ...kept,
      type: 'input_audio',
      input_audio: { ...(kept?.input_audio as JsonObject), data: source.data, format },
      ...cache,
    };
  }
  return writeDocument(part, kept, cache, lose);
}

function lost(part: MediaPart, why: string, lose: Lose): undefined {
  lose(part.kind, why);
}

function writeDocument(
  part: MediaPart,
  kept: JsonObject | undefined,
  cache: JsonObject | undefined,
  lose: Lose,
): JsonObject | undefined {
  const { source, name } = part;
  const text = documentText(part, lose);
  if (text !== undefined) return { type: 'text', text, ...cache };
  const more = { ...(kept?.file as JsonObject), ...(name !== undefined && { filename: name }) };
  if (source.type === 'file') {
    if (source.vendor !== 'openai') return lost(part, 'a file id is valid only at its own provider', lose);
    return { ...kept, type: 'file', file: { ...more, file_id: source.id }, ...cache };
  }
  if (source.type === 'data') {
    const file_data = `data:${source.mime ?? 'application/pdf'};base64,${source.data}`;
    return { ...kept, type: 'file', file: { ...more, file_data }, ...cache };
  }
  if (source.type === 'url' && source.url.startsWith('data:'))
    return { ...kept, type: 'file', file: { ...more, file_data: source.url }, ...cache };
  return lost(part, 'a document needs its bytes or a file id', lose);
}

/** A content, spelled as it was; one that comes from another format as simply as can be. undefined: no such field. */
export function writeContent(parts: readonly Part[], form: string | undefined, lose: Lose): Json | undefined {
  if (parts.length === 0) return EMPTY[form ?? 'string'];
  const text = form === 'parts' ? undefined : onlyText(parts);
  return text ?? parts.map((part) => writePart(part, lose)).filter((part) => part !== undefined);
}

const EMPTY: { readonly [form: string]: Json | undefined } = { null: null, absent: undefined, parts: [], string: '' };

/** The text, if it is all there is. */
function onlyText(parts: readonly Part[]): string | undefined {
  const [first] = parts;
  if (parts.length !== 1 || first?.type !== 'text') return undefined;
  return first.cache || own(first.ext, OPENAI) ? undefined : first.text;
}
