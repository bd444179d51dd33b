// Files as an API takes them: a text as a text, and nothing of a kind that it has no place for.

import { HAS } from '../../conversation/message-traits.ts';
import type { FormatName, Lose, MediaPart, NativePart, Part } from '../../conversation/types.ts';
import { type Adaptation, eachMessage, gone } from '../../conversion/adaptation.ts';
import { standardMedia } from '../../dialects/codec/base64.ts';
import { constraintsOf, FORMATS } from '../../dialects/table.ts';
import { isObject } from '../../json/values.ts';

/** How addresses in the providers' own stores begin. */
const STORES: readonly string[] = FORMATS.flatMap(({ constraints }) => constraints?.store ?? []);

/** The bytes of files in base64 as the API takes it. */
export const standardBytes = (to: FormatName): Adaptation =>
  eachMessage(
    (head) => head,
    (message) => {
      const parts = standardMedia(message.parts, to);
      return parts === message.parts ? message : { ...message, parts };
    },
    HAS.others,
  );

export function goodMedia(to: FormatName): Adaptation {
  return {
    head: (head) => head,
    appliesTo: HAS.others,
    read(read, lose) {
      const { message } = read;
      const parts = withGood(message.parts, to, lose);
      if (parts === message.parts) return read;
      // A turn of which nothing is left is none: no other may be put in before it.
      return parts.length === 0 ? gone(read) : { ...read, message: { ...message, parts } };
    },
  };
}

/** The same list where nothing is to be changed. */
function withGood(parts: readonly Part[], to: FormatName, lose: Lose): readonly Part[] {
  let changed: (Part | undefined)[] | undefined;
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i] as Part;
    const shown = part.type === 'native' ? strayImage(part) : part;
    if (shown?.type !== 'media' && shown?.type !== 'tool_result') continue;
    const now = shown.type === 'media' ? good(shown, to, lose) : withinResult(shown, to, lose);
    if (now === part) continue;
    changed ??= [...parts];
    changed[i] = now;
  }
  return changed?.filter((part) => part !== undefined) ?? parts;
}

function withinResult(result: Part & { type: 'tool_result' }, to: FormatName, lose: Lose): Part {
  const parts = withGood(result.parts, to, lose);
  return parts === result.parts ? result : { ...result, parts };
}

function good(part: MediaPart, to: FormatName, lose: Lose): MediaPart | undefined {
  const { kind, source } = part;
  const demands = constraintsOf(to);
  const isText = source.type === 'text' || source.type === 'parts';
  if (demands.refusedMedia?.includes(kind) && !isText) {
    lose(kind, `the API does not support ${kind} input`);
    return undefined;
  }
  if (source.type === 'data' && source.data === '') {
    lose(kind, 'it has no data');
    return undefined;
  }
  const store =
    source.type === 'url' ? STORES.find((start) => source.url.startsWith(start) && start !== demands.store) : undefined;
  if (store !== undefined) {
    lose(kind, `only its own provider reaches ${store}`);
    return undefined;
  }
  if (source.type === 'file' && demands.foreignFilesRefused) {
    lose(kind, 'only its own provider has the file');
    return undefined;
  }
  if (kind === 'image' && part.name !== undefined && !demands.imageNames) lose('image: name', 'images have none');
  if (!demands.documentsAsText || kind !== 'document' || source.type !== 'data' || source.mime === undefined)
    return part;
  if (source.mime === 'application/pdf') return part;
  const { mime, data } = source;
  if (!mime.startsWith('text/') && mime !== 'application/json') {
    lose(kind, `the API does not support documents of the type ${mime}`);
    return undefined;
  }
  lose(kind, `a document of the type ${mime} is written as its text`, 'changed');
  return { ...part, source: { type: 'text', text: Buffer.from(data, 'base64').toString('utf8') } };
}

/** An image as Anthropic spells it, which some clients put into OpenAI's messages: https://github.com/BerriAI/litellm/issues/23712 */
function strayImage({ format, value }: NativePart): MediaPart | undefined {
  if (format !== 'openai' || !isObject(value) || value.type !== 'image' || !isObject(value.source)) return undefined;
  const { type, data, media_type, url } = value.source;
  if (type === 'base64' && typeof data === 'string' && typeof media_type === 'string')
    return { type: 'media', kind: 'image', source: { type: 'data', data, mime: media_type } };
  return type === 'url' && typeof url === 'string'
    ? { type: 'media', kind: 'image', source: { type, url } }
    : undefined;
}
