// Content chunks to parts: https://docs.mistral.ai/api/endpoint/chat

import type { Form, Part, Source } from '../../conversation/types.ts';
import { asArray, asObject, asString, isObject, type JsonObject } from '../../json/values.ts';
import { readContentAs } from '../codec/content.ts';
import { readUrl } from '../codec/data-url.ts';
import { sniff } from '../codec/media-signatures.ts';
import { residual } from '../codec/residual.ts';
import { MISTRAL } from './name.ts';
import type { Chunk, ChunkOf, ImageUrlFields } from './types.ts';

/** `content` of any message: a string, a list of chunks, null or nothing. An empty string holds no part. */
export function readContent(content: unknown): Part[] {
  return content === '' ? [] : readContentAs(content, readChunk);
}

/** How a content was spelled: `absent`, `null`, `string` or `parts`. */
export function formOf(content: unknown): Form {
  if (typeof content === 'string') return STRING;
  return content === undefined ? ABSENT : content === null ? NULL : PARTS;
}

const STRING = { [MISTRAL]: 'string' };
const PARTS = { [MISTRAL]: 'parts' };
const NULL = { [MISTRAL]: 'null' };
const ABSENT = { [MISTRAL]: 'absent' };

export function readChunk(native: unknown, index: number): Part {
  const chunk = asObject<JsonObject>(native, `content[${index}]`);
  const reader = typeof chunk.type === 'string' ? readers.get(chunk.type) : undefined;
  return reader ? reader(chunk as never) : { type: 'native', format: MISTRAL, value: chunk };
}

/** null: of use to this API alone, kept whole. */
const table: { readonly [T in Chunk['type']]: ((chunk: ChunkOf<T>) => Part) | null } = {
  text: readText,
  image_url: readImage,
  document_url: readDocument,
  file: readFile,
  thinking: readThinking,
  input_audio: readAudio,
  reference: null,
};
const readers = new Map(Object.entries(table).filter(([, reader]) => reader !== null));

function readText({ type: _, text, ...rest }: ChunkOf<'text'>): Part {
  return { type: 'text', text: asString(text, 'text'), ext: residual(MISTRAL, rest) };
}

function readImage({ type: _, image_url, ...rest }: ChunkOf<'image_url'>): Part {
  if (typeof image_url === 'string') {
    const source = readUrl(image_url);
    return { type: 'media', kind: 'image', source, form: BARE, ext: residual(MISTRAL, rest) };
  }
  const { url, detail, ...more }: ImageUrlFields = asObject(image_url, 'image_url');
  const source = readUrl(asString(url, 'image_url.url'));
  const known = typeof detail === 'string';
  const inner = residual(MISTRAL, more, { detail: known ? undefined : detail })?.[MISTRAL];
  const ext = residual(MISTRAL, rest, { image_url: inner });
  return { type: 'media', kind: 'image', source, ...(known && { detail }), form: OBJECT, ext };
}

/** An image as a URL alone. */
const BARE = { [MISTRAL]: 'bare' };
const OBJECT = { [MISTRAL]: 'object' };

function readDocument({ type: _, document_url, document_name, ...rest }: ChunkOf<'document_url'>): Part {
  const source = readUrl(asString(document_url, 'document_url'));
  const named = typeof document_name === 'string';
  const ext = residual(MISTRAL, rest, { document_name: named ? undefined : document_name });
  return { type: 'media', kind: 'document', source, ...(named && { name: document_name }), form: OBJECT, ext };
}

function readFile({ type: _, file_id, ...rest }: ChunkOf<'file'>): Part {
  const source: Source = { type: 'file', id: asString(file_id, 'file_id') };
  return { type: 'media', kind: 'document', source, form: OBJECT, ext: residual(MISTRAL, rest) };
}

/** Bytes in base64 without their type, or a URL. */
function readAudio({ type: _, input_audio, ...rest }: ChunkOf<'input_audio'>): Part {
  const text = asString(input_audio, 'input_audio');
  const url = /^(https?|data):/.test(text.slice(0, 8));
  const source: Source = url ? readUrl(text) : { type: 'data', data: text, mime: sniff(text) };
  const form = source.type === 'data' && url ? { [MISTRAL]: 'data url' } : OBJECT;
  return { type: 'media', kind: 'audio', source, form, ext: residual(MISTRAL, rest) };
}

/** The list itself comes back as long as it says what the part says. */
function readThinking({ type: _, thinking, signature, closed, ...rest }: ChunkOf<'thinking'>): Part {
  const pieces = asArray<unknown>(thinking, 'thinking');
  const plain = pieces.length === 1 && isPlainText(pieces[0]);
  return {
    type: 'reasoning',
    text: textOf(pieces),
    form: { [MISTRAL]: plain ? 'thinking' : JSON.stringify(pieces) },
    ext: residual(MISTRAL, rest, { signature, closed }),
  };
}

const isPlainText = (piece: unknown): boolean =>
  isObject(piece) && piece.type === 'text' && typeof piece.text === 'string' && Object.keys(piece).length === 2;

/** The text of the chunks inside a thinking chunk. */
export function textOf(pieces: readonly unknown[]): string {
  return pieces.map((piece) => (isObject(piece) && typeof piece.text === 'string' ? piece.text : '')).join('');
}
