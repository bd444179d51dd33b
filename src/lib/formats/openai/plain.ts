// Messages of texts, calls and results, read and written as bytes.
import { ByteRoom } from '../../ir/byte-room.ts';
import { parseArguments } from '../../ir/fold.ts';
import { isObject } from '../../ir/json.ts';
import { ascii, JsonBytes } from '../../ir/json-bytes.ts';
import { quoted, unquoted } from '../../ir/json-quoting.ts';
import type { Input, Line, Plain, PlainPart, Span } from '../../ir/plain.ts';
import type { Lose, Role } from '../../ir/types.ts';
import { ASSISTANT, CONTENT, ID, isBlank, NAME, NULL, ROLE, readTexts, SYSTEM, TYPE, USER } from '../plain/read.ts';
import type { Placed, PlainLines } from '../plain/types.ts';
import {
  CLOSE_LIST,
  COMMA,
  endRecord,
  OPEN_LIST,
  sayOwn,
  writeText,
  writeTextPart,
  writeTexts,
} from '../plain/write.ts';
import { OPENAI } from './name.ts';
import { joinsAfter } from './write-message.ts';

const TOOL = ascii('tool');
const TOOL_CALLS = ascii('tool_calls');
const TOOL_CALL_ID = ascii('tool_call_id');
const FUNCTION = ascii('function');
const ARGUMENTS = ascii('arguments');
const REFUSAL = ascii('refusal');

/** What was read of a message. */
interface Draft {
  readonly base: number;
  role: Role | undefined;
  content: boolean;
  /** The content is a list. */
  listed: boolean;
  readonly texts: Span[];
  calls: PlainPart[] | undefined;
  answers: string | undefined;
  /** Fields but the role and the content. */
  others: number;
}

function read(json: JsonBytes): Plain | undefined {
  const draft: Draft = {
    base: json.at,
    role: undefined,
    content: false,
    listed: false,
    texts: [],
    calls: undefined,
    answers: undefined,
    others: 0,
  };
  if (!json.begins()) return undefined;
  do if (!json.key() || !readField(json, draft)) return undefined;
  while (json.continues());
  return json.ends() && json.endsLine() ? plainOf(json, draft) : undefined;
}

/** A field that comes again is none of a plain message. */
function readField(json: JsonBytes, draft: Draft): boolean {
  if (json.isKey(ROLE)) return draft.role === undefined && readRole(json, draft);
  if (json.isKey(CONTENT)) return !draft.content && readContent(json, draft);
  draft.others += 1;
  if (json.isKey(TOOL_CALLS)) return draft.calls === undefined && readCalls(json, draft);
  if (json.isKey(TOOL_CALL_ID)) {
    if (draft.answers !== undefined || !json.string()) return false;
    draft.answers = json.text;
    return true;
  }
  // Of the tool that was called: its call says it too.
  if (json.isKey(NAME)) return draft.role === 'tool' && json.string();
  return json.isKey(REFUSAL) && json.word(NULL);
}

function readRole(json: JsonBytes, draft: Draft): boolean {
  if (!json.string()) return false;
  if (json.is(USER)) draft.role = 'user';
  else if (json.is(ASSISTANT)) draft.role = 'assistant';
  else if (json.is(TOOL)) draft.role = 'tool';
  else if (json.is(SYSTEM)) draft.role = 'system';
  return draft.role !== undefined;
}

function readContent(json: JsonBytes, draft: Draft): boolean {
  draft.content = true;
  if (json.word(NULL)) return true;
  const { texts, base } = draft;
  if (!readTexts(json, base, texts)) return false;
  // A string begins at its quote.
  draft.listed = json.bytes[json.at - 1] === CLOSE_LIST;
  return true;
}

function readCalls(json: JsonBytes, draft: Draft): boolean {
  const calls: PlainPart[] = [];
  draft.calls = calls;
  if (!json.beginsList()) return false;
  do if (!readCall(json, calls)) return false;
  while (json.continues());
  return json.endsList();
}

interface Called {
  id?: string;
  typed?: boolean;
  name?: string;
  input?: Input;
}

function readCall(json: JsonBytes, calls: PlainPart[]): boolean {
  const called: Called = {};
  if (!json.begins()) return false;
  let fields = 0;
  do {
    fields += 1;
    if (!json.key()) return false;
    if (json.isKey(FUNCTION)) {
      if (!readFunction(json, called)) return false;
    } else if (!json.string()) return false;
    else if (json.isKey(ID)) called.id = json.text;
    else if (json.isKey(TYPE)) called.typed = json.is(FUNCTION);
    else return false;
  } while (json.continues());
  const { id, typed, name, input } = called;
  if (fields !== 3 || !id || !typed || name === undefined || !input) return false;
  calls.push({ type: 'tool_call', id, name, input });
  return json.ends();
}

function readFunction(json: JsonBytes, called: Called): boolean {
  if (!json.begins()) return false;
  let fields = 0;
  do {
    fields += 1;
    if (!json.key() || !json.string()) return false;
    if (json.isKey(NAME)) called.name = json.text;
    else if (json.isKey(ARGUMENTS)) called.input = inputOf(json);
    else return false;
  } while (json.continues());
  return fields === 2 && json.ends();
}

const arguments_ = new ByteRoom(1 << 12);
const inner = new JsonBytes();

/** The arguments in the last string; undefined if they are no object. */
function inputOf(json: JsonBytes): Input | undefined {
  const bytes = unquotedIn(json) ?? spelledAnew(json.text);
  return bytes && { from: 0, to: bytes.length, bytes };
}

function unquotedIn({ bytes, from, at }: JsonBytes): Buffer | undefined {
  arguments_.length = 0;
  if (!unquoted(arguments_, bytes, from, at - 1)) return undefined;
  inner.open(arguments_.bytes, 0);
  return inner.object() && inner.endsLine()
    ? Buffer.from(arguments_.bytes.subarray(0, arguments_.length - 1))
    : undefined;
}

function spelledAnew(text: string): Buffer | undefined {
  const read = parseArguments(text);
  return 'input' in read && isObject(read.input) ? Buffer.from(JSON.stringify(read.input)) : undefined;
}

const NONE: readonly string[] = [];

function plainOf(json: JsonBytes, { base, role, content, listed, texts, calls, answers, others }: Draft) {
  if (role === undefined || !content) return undefined;
  if (role === 'tool') return resultOf(texts, calls, answers);
  if (answers !== undefined || (role !== 'assistant' && others > 0)) return undefined;
  const [only] = texts;
  const parts: PlainPart[] = [];
  // Beside calls an empty text says nothing.
  if (calls === undefined || texts.length !== 1 || only === undefined || only.to - only.from > 2)
    for (const text of texts) {
      if (isBlank(json, base, text)) return undefined;
      parts.push({ type: 'text', text });
    }
  if (calls) for (const call of calls) parts.push(call);
  if (parts.length === 0) return undefined;
  return { from: OPENAI, role, parts, shared: others === 0 && (!listed || texts.length > 1), own: NONE };
}

function resultOf(texts: readonly Span[], calls: unknown, callId: string | undefined): Plain | undefined {
  if (!callId || texts.length === 0 || calls !== undefined) return undefined;
  const parts: PlainPart[] = [{ type: 'tool_result', callId, texts, error: false }];
  return { from: OPENAI, role: 'tool', parts, shared: false, own: NONE };
}

const SPEAKS: { readonly [role in Role]?: Uint8Array } = {
  system: ascii('{"role":"system","content":'),
  user: ascii('{"role":"user","content":'),
  assistant: ascii('{"role":"assistant","content":'),
};
const ANSWERS = ascii('{"role":"tool","tool_call_id":');
const WITH = ascii(',"content":');
const ASKS = ascii(',"tool_calls":[');
const CALL = ascii('{"id":');
const CALLED = ascii(',"type":"function","function":{"name":');
const GIVEN = ascii(',"arguments":');
const CALL_END = ascii('}}');

function write(group: readonly Placed[], room: ByteRoom, lose: Lose): void {
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
    room.copy(SPEAKS[role] as Uint8Array);
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

export const plain: PlainLines = { read, write, joins: joinsAfter };
