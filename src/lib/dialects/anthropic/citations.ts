// Citations of a text block: https://platform.claude.com/docs/en/build-with-claude/citations

import type { Citation, Lose } from '../../conversation/types.ts';
import { asObject, type JsonObject } from '../../json/values.ts';
import { own, residual } from '../codec/residual.ts';
import { ANTHROPIC } from './name.ts';
import type { CitationFields } from './types.ts';

export function readCitation(native: unknown): Citation {
  const fields: CitationFields = asObject(native, 'citations[]');
  const { type, url, title, cited_text, ...place } = fields;
  const { document_index, document_title, file_id, start_char_index, end_char_index, ...more } = place;
  const { start_page_number, end_page_number, start_block_index, end_block_index, ...last } = more;
  const { search_result_index, source, encrypted_index, ...rest } = last;
  const pages = { start_page_number, end_page_number, start_block_index, end_block_index };
  const kept = { document_index, document_title, file_id, start_char_index, end_char_index, ...pages };
  const ext = residual(ANTHROPIC, rest, { type, ...kept, search_result_index, source, encrypted_index });
  return { url, title, quote: cited_text, ext };
}

/** Only what Anthropic itself has cited can be written: a foreign citation has no document to point into. */
export function writeCitations(citations: readonly Citation[], lose: Lose): JsonObject[] | undefined {
  const written = citations.flatMap((citation) => {
    const ext = own(citation.ext, ANTHROPIC);
    if (ext === undefined) {
      lose('citations', 'a citation must point into a document of this conversation');
      return [];
    }
    return [{ ...ext, url: citation.url, title: citation.title, cited_text: citation.quote }];
  });
  return written.length > 0 || citations.length === 0 ? written : undefined;
}
