// Budgets beside tokens: bytes and images. Providers refuse requests of too many of either, however few tokens they take.

import type { Message, Part } from '../../lib/conversation/types.ts';
import type { Conversation } from '../../lib/conversion/gather.ts';
import { bytesOf } from './ledger.ts';
import { type Outcome, piecesOf } from './outcome.ts';
import { clear } from './strategies/images.ts';
import { type Transcript, withParts } from './transcript.ts';

export interface Limits {
  /** Of all records of the conversation together. */
  readonly bytes: number | undefined;
  readonly images: number | undefined;
}

const isImage = (part: Part): boolean => part.type === 'media' && part.kind === 'image';

function imagesIn(parts: readonly Part[]): number {
  let count = 0;
  for (const part of parts) count += part.type === 'tool_result' ? imagesIn(part.parts) : isImage(part) ? 1 : 0;
  return count;
}

/** The images of a transcript. */
export const imagesOf = ({ entries }: Transcript): number =>
  entries.reduce((sum, { message }) => sum + (message ? imagesIn(message.parts) : 0), 0);

/**
 * The transcript with placeholders for its oldest images, so that at most so many stay. They go half of what is allowed at a time: most messages
 * then change nothing of what is in the provider's cache.
 */
export function withoutImages(transcript: Transcript, most: number): Transcript {
  const count = imagesOf(transcript);
  if (count <= most) return transcript;
  const batch = Math.max(1, Math.floor(most / 2));
  let left = Math.min(count, Math.ceil((count - most) / batch) * batch);
  const entries = transcript.entries.map((entry) => {
    if (left <= 0 || entry.message === undefined || imagesIn(entry.message.parts) === 0) return entry;
    const message = clearOldest(entry.message, left);
    left -= imagesIn(entry.message.parts);
    return { ...entry, message, by: [...(entry.by ?? []), 'images'] };
  });
  return { ...transcript, entries };
}

function clearOldest(message: Message, most: number): Message {
  let left = most;
  const cleared = (part: Part): Part => {
    if (part.type === 'tool_result') return { ...part, parts: part.parts.map(cleared) };
    return isImage(part) && left-- > 0 ? clear(part) : part;
  };
  return withParts(message, message.parts.map(cleared));
}

/** The bytes of a condensed conversation, as it is written. */
export function sizeOf(outcome: Outcome, conversation: Conversation): number {
  let size = conversation.head ? Buffer.byteLength(bytesOf(outcome.head?.rec ?? conversation.head.rec)) : 0;
  for (const { item } of piecesOf(outcome, conversation, { mark: false })) size += Buffer.byteLength(bytesOf(item.rec));
  return size;
}

/** The bytes of a conversation as it came. */
export const sizeBefore = ({ rolled, head, items }: Conversation): number =>
  (rolled ? [rolled] : [...(head ? [head.rec] : []), ...items.map(({ rec }) => rec)]).reduce(
    (sum, rec) => sum + Buffer.byteLength(bytesOf(rec)),
    0,
  );
