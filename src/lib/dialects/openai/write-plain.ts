// Messages of texts, calls and results as lines.

import type { Lose } from '../../conversation/types.ts';
import { ascii, CLOSE_LIST, COMMA, OPEN_LIST } from '../../json/ascii.ts';
import type { ByteRoom } from '../../json/byte-buffer.ts';
import { quoted } from '../../json/quoting.ts';
import type { Input, Line, Plain, PlainPart, Span } from '../codec/plain-message.ts';
import { NULL } from '../codec/plain-read.ts';
import type { Placed } from '../codec/plain-types.ts';
import { beginRecord, endRecord, sayOwn, writeText, writeTextPart, writeTexts } from '../codec/plain-write.ts';

const ANSWERS = ascii('{"role":"tool","tool_call_id":');
const WITH = ascii(',"content":');
const ASKS = ascii(',"tool_calls":[');
const CALL = ascii('{"id":');
const CALLED = ascii(',"type":"function","function":{"name":');
const GIVEN = ascii(',"arguments":');
const CALL_END = ascii('}}');

/** Messages that share records, as the lines of these. */
export function writePlain(group: readonly Placed[], room: ByteRoom, lose: Lose): void {
  const [first] = group;
  if (first === undefined) return;
  const { role } = first.plain;
  const texts: [Line, Span][] = [];
  const calls: [Line, PlainPart][] = [];
  let last = 0;
  for (const { plain, line } of group)
    for (const part of plain.parts) {
      if (part.type === 'text') texts.push([line, part.text]);
      else if (part.type === 'tool_call') calls.push([line, part]);
      else last += 1;
    }
  for (const { plain, line } of group)
    for (const part of plain.parts)
      if (part.type === 'tool_result') {
        last -= 1;
        writeResult(room, line, part, lose);
        // What says more than its results says its `_meta` there.
        endRecord(room, last === 0 && texts.length === 0 ? group : []);
      }
  if (role === 'assistant' || texts.length > 0) {
    beginRecord(room, role);
    writeContent(room, texts);
    writeCalls(room, calls);
    endRecord(room, group);
  }
  sayOwn(group, lose);
}

function writeContent(room: ByteRoom, texts: readonly [Line, Span][]): void {
  const [only] = texts;
  if (only === undefined) room.copy(NULL);
  else if (texts.length === 1) writeText(room, only[0], only[1]);
  else {
    let next = OPEN_LIST;
    for (const [line, text] of texts) {
      room.byte(next);
      writeTextPart(room, line, text);
      next = COMMA;
    }
    room.byte(CLOSE_LIST);
  }
}

function writeResult(room: ByteRoom, line: Line, part: PlainPart & { type: 'tool_result' }, lose: Lose): void {
  if (part.error) lose('is_error', 'tool messages have no such mark');
  room.copy(ANSWERS);
  room.text(part.callId);
  room.copy(WITH);
  writeTexts(room, line, part.texts);
}

function writeCalls(room: ByteRoom, calls: readonly [Line, PlainPart][]): void {
  if (calls.length === 0) return;
  room.copy(ASKS);
  for (const [i, [line, call]] of calls.entries()) {
    if (call.type !== 'tool_call') continue;
    if (i > 0) room.byte(COMMA);
    room.copy(CALL);
    room.text(call.id);
    room.copy(CALLED);
    room.text(call.name);
    room.copy(GIVEN);
    writeArguments(room, line, call.input);
    room.copy(CALL_END);
  }
  room.byte(CLOSE_LIST);
}

function writeArguments(room: ByteRoom, line: Line, { bytes, from, to }: Input): void {
  if (bytes) quoted(room, bytes, from, to);
  else quoted(room, line.bytes, line.at + from, line.at + to);
}

/** What is said behind a call is told before it here, and its place in `_meta`. */
export function refuses(group: readonly Placed[], next: Plain): boolean {
  let called = group.some(({ plain }) => plain.parts.some(isCall));
  for (const part of next.parts) {
    if (called && part.type === 'text') return true;
    called ||= isCall(part);
  }
  return false;
}

const isCall = ({ type }: PlainPart): boolean => type === 'tool_call';
