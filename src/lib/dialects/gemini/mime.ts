// Types of files by their names: the API wants one where other dialects have none.

import type { MediaKind } from '../../conversation/types.ts';
import { lookup } from '../codec/fields.ts';

const TYPES: { readonly [extension: string]: string } = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
};

const USUAL: { readonly [kind in MediaKind]: string } = {
  image: 'image/jpeg',
  audio: 'audio/wav',
  video: 'video/mp4',
  document: 'application/pdf',
};

/** What a file is, by the end of its name; a page with videos holds one. */
export function kindOfFile(uri: string): MediaKind {
  if (/^https:\/\/(www\.)?(youtube\.com|youtu\.be)\//.test(uri)) return 'video';
  const [kind] = TYPES[extensionOf(uri)]?.split('/') ?? [];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
}

/** The type of a file at `uri`; the usual one of its kind where the name does not say. */
export const mimeOf = (uri: string, kind: MediaKind): string => lookup(TYPES, extensionOf(uri)) ?? USUAL[kind];

export const usualMime = (kind: MediaKind): string => USUAL[kind];

function extensionOf(uri: string): string {
  const path = uri.split(/[?#]/, 1)[0] ?? '';
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}
