// Parts to content parts.

import type { Citation, Lose, MediaPart, Part, Role, TextPart } from '../../conversation/types.ts';
import type { Json, JsonObject } from '../../json/values.ts';
import { writeUrl } from '../codec/data-url.ts';
import { documentText } from '../codec/document-text.ts';
import { nameOf } from '../codec/fields.ts';
import { own } from '../codec/residual.ts';
import { writeCache } from '../openai/cache.ts';
import { RESPONSES } from './name.ts';

/** A content, spelled as it was; one that comes from another format as simply as can be. undefined: no such field. */
export function writeContent(
  parts: readonly Part[],
  form: string | undefined,
  role: Role,
  lose: Lose,
): Json | undefined {
  if (parts.length === 0) return EMPTY[form ?? 'string'];
  const text = form === 'parts' ? undefined : onlyText(parts);
  return text ?? writeParts(parts, role, lose);
}

const EMPTY: { readonly [form: string]: Json | undefined } = { null: null, absent: undefined, parts: [], string: '' };

/** The text, if it is all there is. */
function onlyText(parts: readonly Part[]): string | undefined {
  const [first] = parts;
  if (parts.length !== 1 || first?.type !== 'text') return undefined;
  return first.cache || first.citations || own(first.ext, RESPONSES) ? undefined : first.text;
}

export function writeParts(parts: readonly Part[], role: Role, lose: Lose): JsonObject[] {
  return parts.map((part) => writePart(part, role, lose)).filter((part) => part !== undefined);
}

/** One part as a content part; undefined if there is none for it, which is said. */
function writePart(part: Part, role: Role, lose: Lose): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part, role, lose);
    case 'refusal':
      return { ...own(part.ext, RESPONSES), type: 'refusal', refusal: part.text };
    case 'media':
      return writeMedia(part, role, lose);
    case 'native':
      if (part.format === RESPONSES) return part.value as JsonObject;
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

function writeText(part: TextPart, role: Role, lose: Lose): JsonObject {
  const { annotations, ...kept } = own(part.ext, RESPONSES) ?? {};
  const type = part.form?.[RESPONSES] ?? (role === 'assistant' ? 'output_text' : 'input_text');
  const cache = writeCache(part.cache);
  if (type !== 'output_text') {
    if (part.citations) lose('citations', 'only text of the model has annotations');
    return { ...kept, type, text: part.text, ...cache };
  }
  if (part.cache) lose('cache_control', 'only input can have cache breakpoints');
  const foreign = part.form?.[RESPONSES] === undefined;
  const cited = part.citations
    ? writeAnnotations(part.citations, part.text, lose)
    : (annotations ?? (foreign ? [] : undefined));
  return { ...kept, type, ...(cited !== undefined && { annotations: cited }), text: part.text };
}

/** Where a citation of another dialect has no place of its own, the text that it stands at is the place. */
function writeAnnotations(citations: readonly Citation[], text: string, lose: Lose): JsonObject[] {
  return citations.flatMap(({ url, title, start, end, ext }) => {
    const kept = own(ext, RESPONSES);
    if (kept === undefined && url === undefined) {
      lose('citations', 'an annotation needs a URL');
      return [];
    }
    const place = kept ? { start, end } : { start: start ?? 0, end: end ?? text.length };
    return [
      {
        type: 'url_citation',
        ...kept,
        ...(url !== undefined && { url }),
        ...(title !== undefined ? { title } : kept ? {} : { title: '' }),
        ...(place.start !== undefined && { start_index: place.start }),
        ...(place.end !== undefined && { end_index: place.end }),
      },
    ];
  });
}

function writeMedia(part: MediaPart, role: Role, lose: Lose): JsonObject | undefined {
  if (role === 'assistant' && part.form?.[RESPONSES] === undefined)
    return lost(part, 'assistant messages contain only text', lose);
  if (part.kind === 'image') return writeImage(part, lose);
  if (part.form?.[RESPONSES] === 'input_audio') return writeAudio(part);
  if (part.kind === 'audio') return lost(part, 'the API has no content part for it', lose);
  return writeFile(part, lose);
}

function lost(part: MediaPart, why: string, lose: Lose): undefined {
  lose(part.kind, why);
}

/** `detail` is a required field. */
function writeImage(part: MediaPart, lose: Lose): JsonObject | undefined {
  const where = writeSource(part, 'image_url', 'image/png', lose);
  if (where === undefined) return undefined;
  const detail = part.detail ?? (part.form?.[RESPONSES] === undefined ? 'auto' : undefined);
  const more = { ...(detail !== undefined && { detail }), ...where, ...writeCache(part.cache) };
  return { ...own(part.ext, RESPONSES), type: 'input_image', ...more };
}

/** Where the bytes are: a URL in `field`, or the id of a file. */
export function writeSource(
  { kind, source }: MediaPart,
  field: string,
  mime: string,
  lose: Lose,
): JsonObject | undefined {
  if (source.type === 'file') {
    if (source.vendor === 'openai') return { file_id: source.id };
    lose(kind, 'a file id is valid only at its own provider');
    return undefined;
  }
  const url = writeUrl(source, mime);
  if (url !== undefined) return { [field]: url };
  lose(kind, 'it needs a URL or its bytes');
  return undefined;
}

function writeAudio(part: MediaPart): JsonObject {
  const { input_audio, ...kept } = own(part.ext, RESPONSES) ?? {};
  const { source } = part;
  const data = source.type === 'data' ? source.data : '';
  const format = source.type === 'data' ? source.mime?.replace(/^audio\//, '') : undefined;
  return { ...kept, type: 'input_audio', input_audio: { ...(input_audio as JsonObject), data, format } };
}

function writeFile(part: MediaPart, lose: Lose): JsonObject | undefined {
  const cache = writeCache(part.cache);
  const text = documentText(part, lose);
  if (text !== undefined) return { type: 'input_text', text, ...cache };
  const { source } = part;
  const where = writeSource(part, source.type === 'data' ? 'file_data' : 'file_url', 'application/pdf', lose);
  if (where === undefined) return undefined;
  const name = part.name ?? (part.form?.[RESPONSES] === undefined && source.type === 'data' ? 'file' : undefined);
  const more = {
    ...(name !== undefined && { filename: name }),
    ...(part.detail !== undefined && { detail: part.detail }),
  };
  return { ...own(part.ext, RESPONSES), type: 'input_file', ...where, ...more, ...cache };
}
