// Parts to content chunks.

import type { Lose, MediaPart, Part, ReasoningPart, Source } from '../../conversation/types.ts';
import type { Json, JsonObject } from '../../json/values.ts';
import { describeDocument, sayMedia } from '../codec/documents.ts';
import { nameOf } from '../codec/fields.ts';
import { own } from '../codec/residual.ts';
import { MISTRAL } from './name.ts';
import { textOf } from './read-chunks.ts';

/** A content, spelled as it was; one that comes from another format as simply as can be. undefined: no such field. */
export function writeContent(all: readonly Part[], form: string | undefined, lose: Lose): Json | undefined {
  const parts = form === undefined ? all.filter((part) => part.type !== 'text' || part.text !== '') : all;
  const [only] = parts;
  if (only === undefined) return EMPTY[form ?? 'string'];
  if (form !== 'parts' && parts.length === 1 && only.type === 'text' && !own(only.ext, MISTRAL)) {
    sayText(only, lose);
    return only.text;
  }
  const chunks = parts.map((part) => writeChunk(part, lose)).filter((chunk) => chunk !== undefined);
  return chunks.length === 0 && form === undefined ? '' : chunks;
}

const EMPTY: { readonly [form: string]: Json | undefined } = { null: null, absent: undefined, parts: [], string: '' };

/** One part as a chunk; undefined if there is none for it, which is said. */
function writeChunk(part: Part, lose: Lose): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      sayText(part, lose);
      return { ...own(part.ext, MISTRAL), type: 'text', text: part.text };
    case 'refusal':
      lose('refusal', 'written as text: the API has no refusals');
      return { type: 'text', text: part.text };
    case 'reasoning':
      return writeThinking(part, lose);
    case 'media':
      return writeMedia(part, lose);
    case 'native':
      if (part.format === MISTRAL) return part.value as JsonObject;
      lose(nameOf(part.value), 'only its own API can use it');
      return undefined;
    case 'tool_call':
    case 'tool_result':
      throw new TypeError(`a ${part.type} is not a chunk`);
  }
}

function sayText(part: Part & { type: 'text' }, lose: Lose): void {
  if (part.citations?.length) lose('citations', 'a text has none');
  if (part.cache) lose('cache_control', 'the API caches automatically');
}

function writeThinking(part: ReasoningPart, lose: Lose): JsonObject | undefined {
  if (part.signature !== undefined || part.redacted !== undefined)
    lose('reasoning signature', 'only the provider that created it can read it');
  if (part.text === undefined) return undefined;
  const form = part.form?.[MISTRAL];
  const before: Json[] | undefined = form === undefined || form === 'thinking' ? undefined : JSON.parse(form);
  const thinking = before && textOf(before) === part.text ? before : [{ type: 'text', text: part.text }];
  return { ...own(part.ext, MISTRAL), type: 'thinking', thinking };
}

function writeMedia(part: MediaPart, lose: Lose): JsonObject | undefined {
  const { kind, source, name, cache } = part;
  const kept = own(part.ext, MISTRAL);
  const form = part.form?.[MISTRAL];
  if (cache) lose('cache_control', 'the API caches automatically');
  if (source.type === 'file') {
    if (form !== undefined) return { ...kept, type: 'file', file_id: source.id };
    return sayMedia(part, 'a file id is valid only at its own provider', lose);
  }
  if (kind === 'image') return writeImage(part, kept, form, lose);
  if (kind === 'audio') return writeAudio(part, kept, form, lose);
  if (kind === 'video') return sayMedia(part, 'the API has no content chunk for it', lose);
  const text = describeDocument(part, lose);
  if (text !== undefined) return { type: 'text', text };
  const document_url = urlOf(source, 'application/pdf');
  return { ...kept, type: 'document_url', document_url, ...(name !== undefined && { document_name: name }) };
}

function urlOf(source: Source, fallback: string): string | undefined {
  if (source.type === 'url') return source.url;
  return source.type === 'data' ? `data:${source.mime ?? fallback};base64,${source.data}` : undefined;
}

function writeImage(part: MediaPart, kept: JsonObject | undefined, form: string | undefined, lose: Lose) {
  const url = urlOf(part.source, 'image/png');
  if (url === undefined) return sayMedia(part, 'an image needs a URL or its bytes', lose);
  if (form === 'bare' && part.detail === undefined) return { ...kept, type: 'image_url', image_url: url };
  const detail = part.detail === undefined ? undefined : { detail: part.detail };
  return { ...kept, type: 'image_url', image_url: { ...(kept?.image_url as JsonObject), url, ...detail } };
}

function writeAudio(part: MediaPart, kept: JsonObject | undefined, form: string | undefined, lose: Lose) {
  const { source } = part;
  if (source.type !== 'data' && source.type !== 'url') return sayMedia(part, 'audio needs its bytes or a URL', lose);
  const bare = source.type === 'data' && form !== 'data url';
  return { ...kept, type: 'input_audio', input_audio: bare ? source.data : urlOf(source, 'audio/wav') };
}
