// Pictures, documents and sound of turns that are over: the model has said what it saw.
import type { Part } from '../../../lib/conversation/types.ts';
import { clearedMedia } from '../placeholder.ts';
import { withParts } from '../transcript.ts';
import type { Trim } from './types.ts';

export const images: Trim = {
  kind: 'trim',
  name: 'images',
  summary: 'replace images, documents and audio of finished turns by placeholders',
  apply(message, { past }) {
    return past ? clearAll(message, message.parts) : message;
  },
};

function clearAll(message: Parameters<typeof withParts>[0], before: readonly Part[]) {
  const parts = before.map(clear);
  return parts.every((part, i) => part === before[i]) ? message : withParts(message, parts);
}

/** A part with placeholders for its media; the same part if it has none. */
export function clear(part: Part): Part {
  if (part.type === 'media' && part.source.type !== 'text' && part.source.type !== 'parts')
    return { type: 'text', text: clearedMedia(part) };
  if (part.type !== 'tool_result' || part.by === 'provider') return part;
  const parts = part.parts.map(clear);
  return parts.every((inner, i) => inner === part.parts[i]) ? part : { ...part, parts };
}
