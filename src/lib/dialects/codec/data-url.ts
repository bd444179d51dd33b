// Bytes inside a URL: https://www.rfc-editor.org/rfc/rfc2397
import type { Source } from '../../conversation/types.ts';

/** A data URL gives its bytes, if it is spelled in the plain way; one with parameters stays a URL. */
export function readUrl(url: string): Source {
  const match = url.startsWith('data:') ? /^data:([^;,]+);base64,/.exec(url.slice(0, 200)) : null;
  if (match === null) return { type: 'url', url };
  return { type: 'data', mime: match[1], data: url.slice(match[0].length) };
}

/** A source as a URL; undefined if it is a file at a provider, or text. `mime` is what bytes without a type are taken for. */
export function writeUrl(source: Source, mime: string): string | undefined {
  if (source.type === 'url') return source.url;
  return source.type === 'data' ? `data:${source.mime ?? mime};base64,${source.data}` : undefined;
}

/** The bytes of a source that holds them, whatever else its data URL says; undefined if they lie elsewhere. */
export function bytesOf(source: Source): { readonly data: string; readonly mime?: string } | undefined {
  if (source.type === 'data') return source;
  if (source.type !== 'url' || !source.url.startsWith('data:')) return undefined;
  const comma = source.url.indexOf(',');
  const [mime, ...parameters] = source.url.slice('data:'.length, comma).split(';');
  if (comma < 0 || !parameters.includes('base64')) return undefined;
  return { data: source.url.slice(comma + 1), ...(mime && { mime }) };
}
