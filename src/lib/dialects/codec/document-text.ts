// Documents as text, for dialects that take no text as a document.
import type { Lose, MediaPart, Source } from '../../conversation/types.ts';

/** The text of a document made of text, under its name; undefined for one that is bytes, a URL or a file. */
export function documentText({ source, name }: MediaPart, lose: Lose): string | undefined {
  const text = textOf(source);
  if (text === undefined) return undefined;
  if (source.type === 'parts' && source.parts.some((inner) => inner.type !== 'text'))
    lose('document', 'only its text is kept');
  return name === undefined ? text : `<document title=${JSON.stringify(name)}>\n${text}\n</document>`;
}

function textOf(source: Source): string | undefined {
  if (source.type === 'text') return source.text;
  if (source.type !== 'parts') return undefined;
  return source.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
