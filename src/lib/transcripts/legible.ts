// What the writers of text for people share: nothing from the data may steer a terminal or a browser.

import type { MediaPart, Message, NativePart, ToolCallPart } from '../conversation/types.ts';
import type { Transcript } from '../dialects/types.ts';
import type { Json } from '../json/values.ts';

/** Control characters as pictures of themselves (␛ for escape), except newlines and tabs. CRLF is a newline. */
export function legible(text: string): string {
  return CONTROLS.test(text) ? text.replaceAll('\r\n', '\n').replace(EACH_CONTROL, picture) : text;
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/;
/** Halves of a surrogate pair are no characters either. */
const EACH_CONTROL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/** The text without empty lines at its beginning and its end. */
export function withoutEdges(text: string): string {
  let start = 0;
  for (let at = 0; at < text.length && text[at]?.trim() === ''; at++) if (text[at] === '\n') start = at + 1;
  return text.slice(start).trimEnd();
}

/** The arguments of a call as text: JSON over several lines, or the free text of a custom tool. */
export function argumentsOf({ input, text }: ToolCallPart, indent?: number): string {
  return input === undefined ? (text ?? '') : JSON.stringify(input, null, indent);
}

/** `image/png, 12 kB`: what a medium is, where it cannot be shown. */
export function mediaLabel({ kind, source, name }: MediaPart): string {
  const mime = 'mime' in source && source.mime !== undefined ? source.mime : kind;
  const size = source.type === 'data' ? sizeLabel(Math.floor((source.data.length * 3) / 4)) : undefined;
  const where = source.type === 'url' ? source.url : source.type === 'file' ? source.id : undefined;
  return legible([name, mime, size, where].filter((each) => each !== undefined).join(', ')).replaceAll('\n', ' ');
}

function sizeLabel(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The text of a document, where it has one. */
export function documentText({ source }: MediaPart): string | undefined {
  if (source.type === 'text') return source.text;
  if (source.type !== 'parts') return undefined;
  return source.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export const nativeText = ({ value }: NativePart): string => JSON.stringify(value as Json, null, 2);

/** The heading of a conversation, on one line; undefined where nothing is known of it. */
export function titleOf({ title, id }: Omit<Transcript, 'messages'>): string | undefined {
  const heading = title ?? id;
  return heading === undefined ? undefined : legible(heading).replaceAll(/\s+/g, ' ').trim() || undefined;
}

/** Where a conversation took place: session, directory, model. */
export function placeLabel({ id, title, cwd, head }: Omit<Transcript, 'messages'>): string {
  const facts = [title === undefined ? undefined : id, cwd, head.model].filter(
    (each) => each !== undefined && each !== '',
  );
  return legible(facts.join(' · ')).replaceAll('\n', ' ');
}

/** A message that holds nothing but results: it goes with the calls before it. */
export const isResults = ({ parts }: Message): boolean =>
  parts.length > 0 && parts.every(({ type }) => type === 'tool_result');
