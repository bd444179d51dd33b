// Citations: which part of the answer rests on which documents and results. https://docs.cohere.com/docs/rag-citations

import type { Citation, Lose, Part, TextPart } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { own, residual } from '../codec/residual.ts';
import { COHERE } from './name.ts';
import type { CitationFields } from './types.ts';

/**
 * The parts with their citations. They stand in one list beside the content, which says by index where each belongs. undefined where one
 * belongs to no text, or where they come in another order: then the list stays as it is. Throws a ShapeError.
 */
export function attach(parts: readonly Part[], native: unknown): Part[] | undefined {
  const citations = asArray<unknown>(native, 'citations').map((item, i) =>
    asObject<CitationFields>(item, `citations[${i}]`),
  );
  const places = citations.map((citation) => placeOf(citation, parts));
  if (places.some((place, i) => place < (places[i - 1] ?? 0))) return undefined;
  const byPart = Map.groupBy(citations.keys(), (i) => places[i]);
  return parts.map((part, at) => {
    const found = byPart.get(at);
    return found && part.type === 'text' ? { ...part, citations: found.map((i) => readCitation(citations[i])) } : part;
  });
}

/** The part that a citation belongs to; -1 if there is none, or it is no text. */
function placeOf({ content_index, type }: CitationFields, parts: readonly Part[]): number {
  const isPlan = (part: TextPart) => part.form?.[COHERE] === 'tool_plan';
  if (type === 'PLAN') return parts.findIndex((part) => part.type === 'text' && isPlan(part));
  if (type === 'THINKING_CONTENT') return -1;
  const at = content_index ?? parts.findIndex((part) => part.type === 'text' && !isPlan(part));
  return parts[at]?.type === 'text' ? at : -1;
}

export function readCitation(native: unknown): Citation {
  const { start, end, text, sources, content_index, type, ...rest }: CitationFields = asObject(native, 'citations[]');
  const kept = { text, sources, content_index, type, ...nullsOf({ start, end }) };
  return {
    ...sourceOf(sources),
    start: start ?? undefined,
    end: end ?? undefined,
    ext: residual(COHERE, rest, kept),
  };
}

const nullsOf = (fields: object): object => Object.fromEntries(Object.entries(fields).filter(([, v]) => v === null));

/** Where the first document that is cited comes from, if it says so. */
function sourceOf(sources: unknown): Pick<Citation, 'url' | 'title'> {
  const [first] = Array.isArray(sources) ? (sources as Json[]) : [];
  const document = isObject(first) && isObject(first.document) ? first.document : {};
  return {
    ...(typeof document.url === 'string' && { url: document.url }),
    ...(typeof document.title === 'string' && { title: document.title }),
  };
}

/** Only what this API itself has cited can be written: a foreign citation has no document or result to point to. */
export function writeCitations(parts: readonly Part[], lose: Lose): JsonObject | undefined {
  const citations = parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : []));
  const written = citations.flatMap((citation) => {
    const kept = own(citation.ext, COHERE);
    return kept ? [writeCitation(citation, kept)] : [];
  });
  if (written.length < citations.length) lose('citations', 'a citation must point to a document or a result');
  return written.length > 0 ? { citations: written } : undefined;
}

function writeCitation({ url, title, start, end }: Citation, kept: JsonObject): JsonObject {
  const [first, ...others] = Array.isArray(kept.sources) ? kept.sources : [];
  const before = sourceOf(kept.sources);
  const said = { ...(url !== before.url && { url }), ...(title !== before.title && { title }) };
  const sources =
    Object.keys(said).length > 0 && isObject(first)
      ? { sources: [{ ...first, document: { ...(first.document as JsonObject), ...said } }, ...others] }
      : undefined;
  return { ...kept, ...(start !== undefined && { start }), ...(end !== undefined && { end }), ...sources };
}
