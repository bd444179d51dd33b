// What the writers of plain messages share.

import type { FormatName, Lose, Role } from '../../conversation/types.ts';
import { ascii, CLOSE, CLOSE_LIST, COMMA, NEWLINE, OPEN_LIST } from '../../json/ascii.ts';
import type { ByteRoom } from '../../json/byte-buffer.ts';
import type { Line, Span } from './plain-message.ts';
import { writeMeta } from './plain-meta.ts';
import type { Placed } from './plain-types.ts';

const SPEAKS: { readonly [role in Role]?: Uint8Array } = {
  system: ascii('{"role":"system","content":'),
  user: ascii('{"role":"user","content":'),
  assistant: ascii('{"role":"assistant","content":'),
};

/** The beginning of a record, as far as its content. Where results have no role of their own the user gives them. */
export function beginRecord(room: ByteRoom, role: Role): void {
  room.copy(SPEAKS[role] ?? (SPEAKS.user as Uint8Array));
}

const TEXT = ascii('{"type":"text","text":');

export function writeText(room: ByteRoom, { bytes, at }: Line, { from, to }: Span): void {
  room.copy(bytes, at + from, at + to);
}

/** A text part, which most dialects spell the same. */
export function writeTextPart(room: ByteRoom, line: Line, text: Span): void {
  room.copy(TEXT);
  writeText(room, line, text);
  room.byte(CLOSE);
}

/** The texts of a result: one as a string, several as a list of parts. */
export function writeTexts(room: ByteRoom, line: Line, texts: readonly Span[]): void {
  const [only] = texts;
  if (only && texts.length === 1) {
    writeText(room, line, only);
    return;
  }
  let next = OPEN_LIST;
  for (const text of texts) {
    room.byte(next);
    writeTextPart(room, line, text);
    next = COMMA;
  }
  room.byte(CLOSE_LIST);
}

/** The end of a record, and `_meta` before it where the messages say something there. */
export function endRecord(room: ByteRoom, group: readonly Placed[]): void {
  writeMeta(room, group);
  room.byte(CLOSE);
  room.byte(NEWLINE);
}

/** Says which fields of the messages stay behind. */
export function sayOwn(group: readonly Placed[], lose: Lose): void {
  for (const { plain } of group) for (const field of plain.own) lose(field, whyOwn(plain.from));
}

const whys = new Map<FormatName, string>();

/** Made once: the same text is found again at once. */
function whyOwn(from: FormatName): string {
  const known = whys.get(from) ?? `only ${from} has it`;
  whys.set(from, known);
  return known;
}
