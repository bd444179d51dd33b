// Content parts to parts. One reader for every type that the API's types name.

import type { Citation, Form, MediaKind, Part, Source } from '../../conversation/types.ts';
import { asObject, asString, type Json, type JsonObject } from '../../json/values.ts';
import { readContentAs } from '../codec/content.ts';
import { readUrl } from '../codec/data-url.ts';
import { ifNull, residual } from '../codec/residual.ts';
import { readCache } from '../openai/cache.ts';
import { RESPONSES } from './name.ts';
import type { AnnotationFields, ContentOf, ContentType } from './types.ts';

/** `content` of a message, or `output` of a function: a string, a list of parts, null or nothing. */
export function readContent(content: unknown): Part[] {
  return readContentAs(content, readPart);
}

function readPart(native: unknown, index: number): Part {
  const part = asObject<JsonObject>(native, `content[${index}]`);
  const reader = typeof part.type === 'string' ? readers.get(part.type) : undefined;
  return reader?.(part as never) ?? { type: 'native', format: RESPONSES, value: part };
}

type Readers = { readonly [T in ContentType]: ((part: ContentOf<T>) => Part | undefined) | null };

/** null: of use to this API alone, kept whole. */
const table: Readers = {
  input_text: readInputText,
  output_text: readOutputText,
  input_image: readImage,
  input_file: readFile,
  input_audio: readAudio,
  refusal: readRefusal,
  reasoning_text: null,
};
const readers = new Map(Object.entries(table).filter(([, reader]) => reader !== null));

/** The spelling of a part: the type that it came with. */
const FORMS: { readonly [T in ContentType]: Form } = {
  input_text: { [RESPONSES]: 'input_text' },
  output_text: { [RESPONSES]: 'output_text' },
  input_image: { [RESPONSES]: 'input_image' },
  input_file: { [RESPONSES]: 'input_file' },
  input_audio: { [RESPONSES]: 'input_audio' },
  refusal: { [RESPONSES]: 'refusal' },
  reasoning_text: { [RESPONSES]: 'reasoning_text' },
};

function readInputText(part: ContentOf<'input_text'>): Part {
  const { type: _, text, prompt_cache_breakpoint, ...rest } = part;
  const cache = readCache(prompt_cache_breakpoint ?? undefined);
  const kept = cache ? undefined : { prompt_cache_breakpoint };
  return {
    type: 'text',
    text: asString(text, 'text'),
    cache,
    form: FORMS.input_text,
    ext: residual(RESPONSES, rest, kept),
  };
}

function readOutputText(part: ContentOf<'output_text'>): Part {
  const { type: _, text, annotations, logprobs, ...rest } = part;
  const cited = Array.isArray(annotations) && annotations.length > 0;
  return {
    type: 'text',
    text: asString(text, 'text'),
    ...(cited && { citations: annotations.map(readAnnotation) }),
    form: FORMS.output_text,
    ext: residual(RESPONSES, rest, { annotations: cited ? undefined : annotations, logprobs }),
  };
}

/** Only a web page has an address that means something elsewhere; the places of other sources stay in the residual. */
export function readAnnotation(native: unknown): Citation {
  const fields: AnnotationFields = asObject(native, 'annotations[]');
  const { type, url, title, start_index, end_index, file_id, filename, index, container_id, ...rest } = fields;
  const ext = residual(RESPONSES, rest, { type, file_id, filename, index, container_id });
  return { url, title, start: start_index, end: end_index, ext };
}

function readImage(part: ContentOf<'input_image'>): Part | undefined {
  const { type: _, image_url, file_id, detail, prompt_cache_breakpoint, ...rest } = part;
  const source = sourceOf(image_url, file_id);
  if (source === undefined) return undefined;
  const cache = readCache(prompt_cache_breakpoint ?? undefined);
  const both = typeof image_url === 'string' && typeof file_id === 'string' ? file_id : ifNull(file_id);
  const kept = {
    image_url: ifNull(image_url),
    file_id: both,
    detail: ifNull(detail),
    prompt_cache_breakpoint: cache ? undefined : prompt_cache_breakpoint,
  };
  return {
    type: 'media',
    kind: 'image',
    source,
    detail: detail ?? undefined,
    cache,
    form: FORMS.input_image,
    ext: residual(RESPONSES, rest, kept),
  };
}

/** A URL, else a file at the provider. */
export function sourceOf(url: unknown, fileId: unknown): Source | undefined {
  if (typeof url === 'string') return readUrl(url);
  return typeof fileId === 'string' ? { type: 'file', id: fileId, vendor: 'openai' } : undefined;
}

function readFile(part: ContentOf<'input_file'>): Part | undefined {
  const { type: _, file_data, file_url, file_id, filename, detail, prompt_cache_breakpoint, ...rest } = part;
  // Bytes outside a data URL have no type: they stay as they are.
  const data = typeof file_data === 'string' ? readUrl(file_data) : undefined;
  if (data?.type === 'url') return undefined;
  const source: Source | undefined =
    data ?? (typeof file_url === 'string' ? { type: 'url', url: file_url } : sourceOf(undefined, file_id));
  if (source === undefined) return undefined;
  const cache = readCache(prompt_cache_breakpoint ?? undefined);
  const kept = {
    file_data: ifNull(file_data),
    file_url: data ? file_url : ifNull(file_url),
    file_id: source.type === 'file' ? undefined : file_id,
    filename: ifNull(filename),
    detail: ifNull(detail),
    prompt_cache_breakpoint: cache ? undefined : prompt_cache_breakpoint,
  };
  return {
    type: 'media',
    kind: kindOfMedia(source),
    source,
    name: filename ?? undefined,
    detail: detail ?? undefined,
    cache,
    form: FORMS.input_file,
    ext: residual(RESPONSES, rest, kept),
  };
}

function kindOfMedia(source: Source): MediaKind {
  return source.type === 'data' && source.mime?.startsWith('video/') ? 'video' : 'document';
}

function readAudio(part: ContentOf<'input_audio'>): Part {
  const { type: _, input_audio, ...rest } = part;
  const { data, format, ...more } = asObject<{ data?: unknown; format?: unknown }>(input_audio, 'input_audio');
  const source: Source = { type: 'data', data: asString(data, 'input_audio.data'), mime: `audio/${format}` };
  const kept = { input_audio: Object.keys(more).length > 0 ? (more as Json) : undefined };
  return { type: 'media', kind: 'audio', source, form: FORMS.input_audio, ext: residual(RESPONSES, rest, kept) };
}

function readRefusal(part: ContentOf<'refusal'>): Part {
  const { type: _, refusal, ...rest } = part;
  return { type: 'refusal', text: asString(refusal, 'refusal'), form: FORMS.refusal, ext: residual(RESPONSES, rest) };
}
