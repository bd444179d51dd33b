// Bytes as text. Gemini takes and gives both alphabets, the other APIs the standard one alone: https://www.rfc-editor.org/rfc/rfc4648
import type { FormatName, MediaPart, Part, Source, ToolResultPart } from '../../conversation/types.ts';
import { bytesOf } from './data-url.ts';

const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const EITHER = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Whether an API takes a text as bytes: in the standard alphabet and padded, and Gemini in either one. */
export const isTaken = (data: string, to: FormatName): boolean =>
  to === 'gemini' ? EITHER.test(data) : data.length % 4 === 0 && STANDARD.test(data);

/** The same bytes in the standard alphabet and padded: without a `data:` before them and without white space. A text that is no base64 stays as it is. */
export function standardBase64(data: string): string {
  const bare = withoutUrl(data).replace(/\s+/g, '');
  const digits = EITHER.test(bare) ? bare.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/') : '';
  if (digits === '' || digits.length % 4 === 1) return data;
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}

/** What stands behind the `data:…,` of a text. */
const withoutUrl = (data: string): string => (/^\s*data:/i.test(data) ? data.slice(data.indexOf(',') + 1) : data);

/** Media whose bytes are in base64 as the target takes it, in results and documents too; the same list if they are. */
export function standardMedia(parts: readonly Part[], to: FormatName): readonly Part[] {
  let changed: Part[] | undefined;
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i] as Part;
    const now = part.type === 'media' || part.type === 'tool_result' ? standardPart(part, to) : part;
    if (now === part) continue;
    changed ??= [...parts];
    changed[i] = now;
  }
  return changed ?? parts;
}

function standardPart(part: MediaPart | ToolResultPart, to: FormatName): Part {
  if (part.type === 'tool_result') {
    const parts = standardMedia(part.parts, to);
    return parts === part.parts ? part : { ...part, parts };
  }
  const source = standardSource(part.source, to);
  return source === part.source ? part : { ...part, source };
}

function standardSource(source: Source, to: FormatName): Source {
  if (source.type === 'parts') {
    const parts = standardMedia(source.parts, to);
    return parts === source.parts ? source : { ...source, parts };
  }
  const bytes = bytesOf(source)?.data;
  if (bytes === undefined || isTaken(bytes, to)) return source;
  const data = standardBase64(bytes);
  if (data === bytes) return source;
  if (source.type === 'data') return { ...source, data };
  return source.type === 'url'
    ? { ...source, url: `${source.url.slice(0, source.url.indexOf(',') + 1)}${data}` }
    : source;
}
