// Messages of texts, calls and results as lines.

import type { Lose } from '../../conversation/types.ts';
import { ascii, CLOSE, CLOSE_LIST, COMMA, OPEN_LIST } from '../../json/ascii.ts';
import type { ByteRoom } from '../../json/byte-buffer.ts';
import type { Line, PlainPart } from '../codec/plain-message.ts';
import type { Placed } from '../codec/plain-types.ts';
import { beginRecord, endRecord, sayOwn, writeText, writeTextPart, writeTexts } from '../codec/plain-write.ts';

const CALL = ascii('{"type":"tool_use","id":');
const CALLED = ascii(',"name":');
const GIVEN = ascii(',"input":');
const RESULT = ascii('{"type":"tool_result","tool_use_id":');
const WITH = ascii(',"content":');

/** Messages that share records, as the lines of these. */
export function writePlain(group: readonly Placed[], room: ByteRoom, lose: Lose): void {
  const [first] = group;
  if (first === undefined) return;
  const { plain, line } = first;
  const [only] = plain.parts;
  beginRecord(room, plain.role);
  if (group.length === 1 && plain.parts.length === 1 && only?.type === 'text') writeText(room, line, only.text);
  else {
    let next = OPEN_LIST;
    for (const one of group)
      for (const part of one.plain.parts) {
        room.byte(next);
        writeBlock(room, one.line, part);
        next = COMMA;
      }
    room.byte(CLOSE_LIST);
  }
  endRecord(room, group);
  sayOwn(group, lose);
}

function writeBlock(room: ByteRoom, line: Line, part: PlainPart): void {
  if (part.type === 'text') {
    writeTextPart(room, line, part.text);
    return;
  }
  if (part.type === 'tool_call') {
    const { id, name, input } = part;
    room.copy(CALL);
    room.text(id);
    room.copy(CALLED);
    room.text(name);
    room.copy(GIVEN);
    if (input.bytes) room.copy(input.bytes);
    else writeText(room, line, input);
  } else {
    room.copy(RESULT);
    room.text(part.callId);
    room.copy(WITH);
    writeTexts(room, line, part.texts);
  }
  room.byte(CLOSE);
}
