// Images, documents, audio and video, from parts.

import type { Lose, MediaPart, Part, Source } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';
import { sayMedia } from '../codec/documents.ts';
import { sniff } from '../codec/media-signatures.ts';
import { own } from '../codec/residual.ts';
import type { DocumentNames } from './document-names.ts';
import { formatOf, mimeOf } from './media-types.ts';
import { BEDROCK } from './name.ts';

/** A block with the file's format and its bytes; undefined if the API has no place for it, which is said. */
export function writeMedia(part: MediaPart, names: DocumentNames, lose: Lose): JsonObject | undefined {
  if (part.form?.[BEDROCK] === 'searchResult' && part.source.type === 'parts') return writeSearchResult(part, lose);
  const { kind, source } = part;
  if (part.detail !== undefined) lose('detail', 'images have one resolution');
  if (source.type === 'url') return sayMedia(part, 'the API takes no URLs', lose);
  if (source.type === 'file') return sayMedia(part, 'a file id is valid only at its own provider', lose);
  if (kind !== 'document' && source.type !== 'data') return sayMedia(part, 'it needs its bytes', lose);
  const format = writeFormat(part, source);
  if (format === undefined) return sayMedia(part, `the API takes no ${mimeIn(source) ?? kind}`, lose);
  const kept = own(part.ext, BEDROCK);
  const { source: beside, ...inner } = (kept?.[kind] as JsonObject | undefined) ?? {};
  const written = { ...(beside as JsonObject), ...writeSource(source, lose) };
  const named = kind === 'document' ? writeName(part, names, lose) : undefined;
  const spelled = format === '' ? undefined : { format };
  return { ...kept, [kind]: { ...inner, ...spelled, ...named, source: written } };
}

type Inline = Exclude<Source, { type: 'url' | 'file' }>;

/** Other formats' readers take these fields as they come. */
const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const mimeIn = (source: Inline): string | undefined => (source.type === 'parts' ? undefined : textOr(source.mime));

/** The format as it was spelled, as long as it means the same; '' where there was none. */
function writeFormat({ kind, form }: MediaPart, source: Inline): string | undefined {
  const before = form?.[BEDROCK];
  const said = mimeIn(source);
  if (before !== undefined && (said === undefined || mimeOf(kind, before) === said)) return before;
  if (source.type !== 'data') return formatOf(kind, said ?? 'text/plain') ?? 'txt';
  const mime = said ?? sniff(source.data);
  return mime === undefined ? undefined : formatOf(kind, mime);
}

function writeSource(source: Inline, lose: Lose): JsonObject {
  if (source.type === 'data') return { bytes: source.data };
  if (source.type === 'text') return { text: source.text };
  return { content: writeTexts(source.parts, lose) };
}

function writeTexts(parts: readonly Part[], lose: Lose): JsonObject[] {
  return parts.flatMap((part) => {
    if (part.type === 'text') return [{ ...own(part.ext, BEDROCK), text: part.text }];
    lose('document', 'only its text is kept');
    return [];
  });
}

function writeName({ name, source, form }: MediaPart, names: DocumentNames, lose: Lose): JsonObject | undefined {
  if (form?.[BEDROCK] !== undefined) {
    if (name !== undefined) names.keep(name);
    return name === undefined ? undefined : { name };
  }
  const written = names.next(textOr(name), source.type === 'data' ? source.data : JSON.stringify(source));
  if (name !== undefined && name !== written)
    lose('document name', 'a name may contain only letters, digits, spaces and -()[], and must be unique');
  return { name: written };
}

function writeSearchResult(part: MediaPart, lose: Lose): JsonObject {
  const { searchResult, ...kept } = own(part.ext, BEDROCK) ?? {};
  const content = part.source.type === 'parts' ? writeTexts(part.source.parts, lose) : [];
  const title = part.name === undefined ? undefined : { title: part.name };
  return { ...kept, searchResult: { ...(searchResult as JsonObject), ...title, content } };
}
