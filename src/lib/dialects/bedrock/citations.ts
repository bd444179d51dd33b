// Text with citations: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationsContentBlock.html

import type { Citation, Lose, Part, TextPart } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type JsonObject } from '../../json/values.ts';
import { optional } from '../codec/fields.ts';
import { own, residual } from '../codec/residual.ts';
import { BEDROCK } from './name.ts';
import type { CitationFields, CitationsFields, LocationFields, WebFields } from './types.ts';

/** undefined for a block that holds more than texts. Their lengths come back as long as the whole has not changed. */
export function readCitations(native: unknown, rest: Record<never, never>): Part | undefined {
  const { content, citations, ...more } = asObject<CitationsFields>(native, 'citationsContent');
  const texts = asArray<unknown>(content ?? [], 'citationsContent.content').map(plainText);
  if (!texts.every((text) => text !== undefined)) return undefined;
  const inner = residual(BEDROCK, more, { citations: citations === null ? citations : undefined })?.[BEDROCK];
  const lengths = content === undefined ? 'absent' : texts.map((text) => text.length).join(' ');
  return {
    type: 'text',
    text: texts.join(''),
    citations: citations ? asArray<unknown>(citations, 'citationsContent.citations').map(readCitation) : undefined,
    form: { [BEDROCK]: `citations ${lengths}` },
    ext: residual(BEDROCK, rest, { citationsContent: inner }),
  };
}

const plainText = (native: unknown): string | undefined =>
  isObject(native) && typeof native.text === 'string' && Object.keys(native).length === 1 ? native.text : undefined;

export function readCitation(native: unknown): Citation {
  const { title, source, sourceContent, location, ...rest } = asObject<CitationFields>(native, 'citations[]');
  const pieces = Array.isArray(sourceContent) ? (sourceContent as unknown[]) : [];
  const quote = pieces.length === 1 ? plainText(pieces[0]) : undefined;
  const { web, ...places } = isObject(location) ? (location as LocationFields) : ({} as LocationFields);
  const { url, domain, ...more } = isObject(web) ? (web as WebFields) : ({} as WebFields);
  const within = residual(BEDROCK, more, { domain })?.[BEDROCK];
  const isWeb = typeof url === 'string' && Object.keys(places).length === 0;
  const kept = {
    source,
    sourceContent: quote === undefined ? sourceContent : undefined,
    location: isWeb ? within && { web: within } : location,
  };
  const said = { ...(isWeb && { url }), ...(title !== undefined && { title }), ...(quote !== undefined && { quote }) };
  return { ...said, ext: residual(BEDROCK, rest, kept) ?? OWN };
}

/** Marks what this API said, where the view has all of it. */
const OWN = { [BEDROCK]: {} };

/** The block, if the text was one with citations. Only what this API itself has cited can be written. */
export function writeCitations(part: TextPart, lose: Lose): JsonObject | undefined {
  const { text, citations, form, ext } = part;
  const [kind, ...lengths] = (form?.[BEDROCK] ?? '').split(' ').filter(Boolean);
  const isOwn = kind === 'citations';
  const written = citations?.filter((citation) => own(citation.ext, BEDROCK)).map(writeCitation);
  if (citations && written && written.length < citations.length)
    lose('citations', 'a citation must point into a document of this conversation');
  if (!isOwn && !written?.length) return undefined;
  const { citationsContent, ...kept } = own(ext, BEDROCK) ?? {};
  const content = lengths[0] === 'absent' && text === '' ? undefined : cut(text, lengths.map(Number));
  const inner = { ...(citationsContent as JsonObject), ...optional({ content, citations: written }) };
  return { ...kept, citationsContent: inner };
}

function cut(text: string, lengths: readonly number[]): JsonObject[] {
  if (lengths.reduce((a, b) => a + b, 0) !== text.length) return [{ text }];
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return { text: text.slice(end - length, end) };
  });
}

function writeCitation({ url, title, quote, ext }: Citation): JsonObject {
  const kept = own(ext, BEDROCK);
  const { web } = isObject(kept?.location) ? kept.location : {};
  return {
    ...kept,
    ...optional({ title: title ?? undefined }),
    ...(quote !== undefined && { sourceContent: [{ text: quote }] }),
    ...(url !== undefined && { location: { web: { ...(web as JsonObject), url } } }),
  };
}
