// Where the bytes of an image or a document are.

import type { Ext, MediaPart, Part, Source } from '../../conversation/types.ts';
import { asArray, asObject, asString, type JsonObject } from '../../json/values.ts';
import { bytesOf } from '../codec/data-url.ts';
import { own, residual } from '../codec/residual.ts';
import { ANTHROPIC } from './name.ts';
import type { SourceFields } from './types.ts';

/** The source, its residual (under `source`), and the spelling of a list of blocks. */
export function readSource(
  native: unknown,
  blocks: (content: string | readonly unknown[]) => Part[],
): { source: Source; ext?: Ext; string?: boolean } {
  const { type, data, media_type, url, file_id, content, ...rest }: SourceFields = asObject(native, 'source');
  const more = residual(ANTHROPIC, rest)?.[ANTHROPIC];
  const ext = more && { [ANTHROPIC]: { source: more } };
  if (type === 'base64')
    return { source: { type: 'data', data: asString(data, 'source.data'), mime: media_type }, ext };
  if (type === 'url') return { source: { type: 'url', url: asString(url, 'source.url') }, ext };
  if (type === 'file')
    return { source: { type: 'file', id: asString(file_id, 'source.file_id'), vendor: 'anthropic' }, ext };
  if (type === 'text') return { source: { type: 'text', text: asString(data, 'source.data'), mime: media_type }, ext };
  const string = typeof content === 'string';
  const parts = blocks(string ? content : asArray(content, 'source.content'));
  return { source: { type: 'parts', parts }, ext, string };
}

export function writeSource(
  part: MediaPart,
  blocks: (parts: Source & { type: 'parts' }) => unknown,
): JsonObject | undefined {
  const { source } = part;
  const more = own(part.ext, ANTHROPIC)?.source as JsonObject | undefined;
  switch (source.type) {
    case 'data':
      return { ...more, type: 'base64', media_type: source.mime ?? FALLBACK[part.kind], data: source.data };
    case 'url': {
      const bytes = bytesOf(source);
      if (bytes) return { ...more, type: 'base64', media_type: bytes.mime ?? FALLBACK[part.kind], data: bytes.data };
      return { ...more, type: 'url', url: source.url };
    }
    case 'file':
      return { ...more, type: 'file', file_id: source.id };
    case 'text':
      return { ...more, type: 'text', media_type: source.mime ?? 'text/plain', data: source.text };
    case 'parts':
      return { ...more, type: 'content', content: blocks(source) as JsonObject };
  }
}

const FALLBACK: { readonly [kind: string]: string } = { image: 'image/png', document: 'application/pdf' };
