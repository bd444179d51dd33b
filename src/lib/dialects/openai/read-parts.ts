// Content parts to parts.

import type { MediaKind, Part, Source } from '../../conversation/types.ts';
import { asObject, asString, type JsonObject } from '../../json/values.ts';
import { readContentAs } from '../codec/content.ts';
import { readUrl } from '../codec/data-url.ts';
import { residual } from '../codec/residual.ts';
import { readCache } from './cache.ts';
import { OPENAI } from './name.ts';
import type { PartOf, UserPart } from './types.ts';

/** `content` of any message: a string, a list of parts, null or nothing. */
export function readContent(content: unknown): Part[] {
  return readContentAs(content, readPart);
}

function readPart(native: unknown, index: number): Part {
  const part = asObject<JsonObject>(native, `content[${index}]`);
  const reader = typeof part.type === 'string' ? readers.get(part.type) : undefined;
  return reader ? reader(part as never) : { type: 'native', format: OPENAI, value: part };
}

const table: { readonly [T in UserPart['type']]: (part: PartOf<T>) => Part } = {
  text: readText,
  image_url: readImage,
  input_audio: readAudio,
  file: readFile,
  refusal: readRefusal,
};
const readers = new Map(Object.entries(table));

function readText(part: PartOf<'text'>): Part {
  const { type: _, text, prompt_cache_breakpoint, cache_control, ...rest } = part;
  const cache = readCache(prompt_cache_breakpoint, cache_control);
  const kept = cache ? undefined : { prompt_cache_breakpoint, cache_control };
  const form = cache && cache_control ? CONTROL : undefined;
  return { type: 'text', text: asString(text, 'text'), cache, form, ext: residual(OPENAI, rest, kept) };
}

const CONTROL = { [OPENAI]: 'cache_control' };

function readImage(part: PartOf<'image_url'>): Part {
  const { type: _, image_url, prompt_cache_breakpoint, cache_control, ...rest } = part;
  const cache = readCache(prompt_cache_breakpoint, cache_control);
  const kept = cache ? undefined : { prompt_cache_breakpoint, cache_control };
  const bare = typeof image_url === 'string';
  const { url, detail, ...more } = bare
    ? { url: image_url as string }
    : asObject<Partial<NonNullable<typeof image_url>>>(image_url, 'image_url');
  const ext = residual(OPENAI, rest, { ...kept, ...(Object.keys(more).length > 0 && { image_url: more }) });
  const source = readUrl(asString(url, 'image_url.url'));
  const form = bare ? { [OPENAI]: 'bare' } : cache && cache_control ? CONTROL : undefined;
  return { type: 'media', kind: 'image', source, detail, cache, form, ext };
}

function readAudio(part: PartOf<'input_audio'>): Part {
  const { type: _, input_audio, prompt_cache_breakpoint, cache_control, ...rest } = part;
  const { data, format, ...more } = asObject<Partial<NonNullable<typeof input_audio>>>(input_audio, 'input_audio');
  const kept = { prompt_cache_breakpoint, cache_control, ...(Object.keys(more).length > 0 && { input_audio: more }) };
  const source: Source = { type: 'data', data: asString(data, 'input_audio.data'), mime: `audio/${format}` };
  return { type: 'media', kind: 'audio', source, ext: residual(OPENAI, rest, kept) };
}

function readFile(part: PartOf<'file'>): Part {
  const { type: _, file, prompt_cache_breakpoint, cache_control, ...rest } = part;
  const { file_data, file_id, filename, ...more } = asObject<Partial<NonNullable<typeof file>>>(file, 'file');
  const cache = readCache(prompt_cache_breakpoint, cache_control);
  const left = { ...(more as JsonObject), ...(typeof file_data === 'string' && file_id !== undefined && { file_id }) };
  const kept = {
    ...(cache ? {} : { prompt_cache_breakpoint, cache_control }),
    ...(Object.keys(left).length > 0 && { file: left }),
  };
  const source: Source =
    typeof file_data === 'string'
      ? readUrl(file_data)
      : { type: 'file', id: asString(file_id, 'file.file_id'), vendor: 'openai' };
  const form = cache && cache_control ? CONTROL : undefined;
  return {
    type: 'media',
    kind: kindOfMedia(source),
    source,
    name: filename,
    cache,
    form,
    ext: residual(OPENAI, rest, kept),
  };
}

function kindOfMedia(source: Source): MediaKind {
  const kind = source.type === 'data' ? source.mime?.split('/')[0] : undefined;
  return kind === 'video' ? kind : 'document';
}

function readRefusal(part: PartOf<'refusal'>): Part {
  const { type: _, refusal, cache_control, ...rest } = part;
  return {
    type: 'refusal',
    text: asString(refusal, 'refusal'),
    form: { [OPENAI]: 'part' },
    ext: residual(OPENAI, rest, { cache_control }),
  };
}
