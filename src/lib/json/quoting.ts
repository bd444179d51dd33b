// JSON in a JSON string, and out of it: the arguments of calls, which some APIs spell as text.
import { BACKSLASH, NEWLINE, QUOTE, SLASH, SPACE } from './ascii.ts';
import type { ByteRoom } from './byte-buffer.ts';

/** The letters of escapes: a newline, a return, a tabulator. */
const [N, R, T] = [110, 114, 116];

/** Writes some JSON as a JSON string, without the spaces between its tokens. */
export function quoted(room: ByteRoom, json: Uint8Array, from: number, to: number): void {
  room.reserve(2 * (to - from) + 2);
  const { bytes } = room;
  let at = room.length;
  let inString = false;
  bytes[at++] = QUOTE;
  for (let i = from; i < to; i += 1) {
    const byte = json[i] as number;
    if (byte === QUOTE) {
      inString = !inString;
      bytes[at++] = BACKSLASH;
    } else if (byte === BACKSLASH) {
      // What is escaped comes along: it may be a quote.
      bytes[at++] = BACKSLASH;
      bytes[at++] = BACKSLASH;
      i += 1;
      if (json[i] === QUOTE || json[i] === BACKSLASH) bytes[at++] = BACKSLASH;
      bytes[at++] = json[i] as number;
      continue;
    } else if (byte === SPACE && !inString) continue;
    bytes[at++] = byte;
  }
  bytes[at++] = QUOTE;
  room.length = at;
}

/**
 * Writes what a JSON string says, without the white space that stands between the tokens if it is JSON, and a newline behind it. `from` and `to` are
 * where its quotes stand. False for a string that is told with other escapes than JSON needs, or has a control character in a string.
 */
export function unquoted(room: ByteRoom, json: Uint8Array, from: number, to: number): boolean {
  room.reserve(to - from);
  const { bytes } = room;
  let at = room.length;
  let inString = false;
  /** The byte before begins an escape of the JSON in the string. */
  let escaped = false;
  for (let i = from + 1; i < to; i += 1) {
    let byte = json[i] as number;
    if (byte === BACKSLASH) {
      i += 1;
      byte = json[i] as number;
      if (byte === N || byte === R || byte === T) {
        if (inString) return false;
        continue;
      }
      if (byte !== QUOTE && byte !== BACKSLASH && byte !== SLASH) return false;
    }
    if (escaped) escaped = false;
    else if (byte === BACKSLASH) escaped = true;
    else if (byte === QUOTE) inString = !inString;
    else if (byte === SPACE && !inString) continue;
    bytes[at++] = byte;
  }
  bytes[at++] = NEWLINE;
  room.length = at;
  return true;
}
