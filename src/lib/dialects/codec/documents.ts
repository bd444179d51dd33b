// Documents for APIs that have none of the kind.
import type { Lose, MediaPart, Part } from '../../conversation/types.ts';

/** Says that a medium has no place in the target. */
export function sayMedia(part: MediaPart, why: string, lose: Lose): undefined {
  lose(part.kind, why);
}

/** The parts without the media, which are said: for messages of those who show none. */
export function withoutMedia(parts: readonly Part[], why: string, lose: Lose): readonly Part[] {
  const isShown = (part: Part): part is MediaPart =>
    part.type === 'media' && part.source.type !== 'text' && part.source.type !== 'parts';
  if (!parts.some(isShown)) return parts;
  for (const part of parts) if (isShown(part)) sayMedia(part, why, lose);
  return parts.filter((part) => !isShown(part));
}

/** The text of a document that is text, with its title around it; undefined for one that is bytes somewhere. */
export function describeDocument({ source, name }: MediaPart, lose: Lose): string | undefined {
  if (source.type !== 'text' && source.type !== 'parts') return undefined;
  const whole = source.type === 'text' || source.parts.every((inner) => inner.type === 'text');
  lose('document', whole ? 'written as text' : 'only its text is kept');
  const text =
    source.type === 'text'
      ? source.text
      : source.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return name === undefined ? text : `<document title=${JSON.stringify(name)}>\n${text}\n</document>`;
}
