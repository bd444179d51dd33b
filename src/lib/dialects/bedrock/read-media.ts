// Images, documents, audio and video to parts.

import type { MediaKind, MediaPart, Part, Source } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type JsonObject } from '../../json/values.ts';
import { residual } from '../codec/residual.ts';
import { mimeOf } from './media-types.ts';
import { BEDROCK } from './name.ts';
import type { AudioFields, DocumentFields, ImageFields, SourceFields, VideoFields } from './types.ts';

type Fields = ImageFields | AudioFields | VideoFields;

/** `rest`: unknown fields of the block, beside the union's key. An S3 location means something to AWS alone: such a block is kept whole. */
export function readMedia(kind: MediaKind, native: unknown, rest: Record<never, never>): Part {
  const { format, source, ...more } = asObject<Fields>(native, kind);
  const { error, ...unknown } = more as ImageFields;
  return readFile(
    kind,
    native,
    { format, source, kept: residual(BEDROCK, unknown as object, { error })?.[BEDROCK] },
    rest,
  );
}

export function readDocument(native: unknown, rest: Record<never, never>): Part {
  const { format, source, name, context, citations, ...more } = asObject<DocumentFields>(native, 'document');
  const kept = residual(BEDROCK, more, { context, citations })?.[BEDROCK];
  const part = readFile('document', native, { format, source, kept }, rest);
  return part.type === 'native' || name === undefined ? part : { ...part, name: asString(name, 'document.name') };
}

interface File {
  readonly format?: string;
  readonly source: unknown;
  readonly kept?: JsonObject;
}

function readFile(kind: MediaKind, native: unknown, { format, source, kept }: File, rest: object): MediaPart | Native {
  const found = readSource(kind, source, format);
  if (found === undefined) return { type: 'native', format: BEDROCK, value: { ...rest, [kind]: native as JsonObject } };
  const inner = kept || found.rest ? { ...kept, ...(found.rest && { source: found.rest }) } : undefined;
  const ext = residual(BEDROCK, rest as Record<never, never>, { [kind]: inner });
  return { type: 'media', kind, source: found.source, form: { [BEDROCK]: format ?? '' }, ext };
}

type Native = Extract<Part, { type: 'native' }>;

function readSource(kind: MediaKind, native: unknown, format: string | undefined) {
  const { bytes, s3Location, text, content, ...more } = asObject<SourceFields>(native, `${kind}.source`);
  const rest = residual(BEDROCK, more)?.[BEDROCK];
  const mime = format === undefined ? undefined : mimeOf(kind, asString(format, `${kind}.format`));
  if (bytes !== undefined) return { source: dataOf(asString(bytes, `${kind}.source.bytes`), mime), rest };
  if (text !== undefined) return { source: textOf(asString(text, `${kind}.source.text`), mime), rest };
  if (content === undefined || s3Location !== undefined) return undefined;
  const parts = asArray<unknown>(content, `${kind}.source.content`).map(readTextOnly);
  return parts.every((part) => part !== undefined) ? { source: { type: 'parts', parts } as Source, rest } : undefined;
}

const dataOf = (data: string, mime: string | undefined): Source => ({ type: 'data', data, mime });
const textOf = (text: string, mime: string | undefined): Source => ({ type: 'text', text, mime });

/** A piece of a document: text, as far as the API goes. */
export function readTextOnly(native: unknown): Part | undefined {
  if (!isObject(native) || typeof native.text !== 'string') return undefined;
  const { text, ...rest } = native;
  return { type: 'text', text, ext: residual(BEDROCK, rest as Record<never, never>) };
}
