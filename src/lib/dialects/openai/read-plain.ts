// Lines that are messages of texts, calls and results, read without parsing them.

import { parseArguments } from '../../conversation/fold-deltas.ts';
import type { Role } from '../../conversation/types.ts';
import { ascii, CLOSE_LIST } from '../../json/ascii.ts';
import { ByteRoom } from '../../json/byte-buffer.ts';
import { JsonBytes } from '../../json/bytes.ts';
import { unquoted } from '../../json/quoting.ts';
import { isObject } from '../../json/values.ts';
import type { Input, Plain, PlainPart, Span } from '../codec/plain-message.ts';
import { CONTENT, ID, isBlank, NAME, NULL, ROLE, readRole, readTexts, TYPE } from '../codec/plain-read.ts';
import { OPENAI } from './name.ts';

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

/** The message of a line; undefined for one that is something else, or no JSON. */
export function readPlain(json: JsonBytes): Plain | undefined {
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
  if (json.isKey(ROLE)) {
    if (draft.role !== undefined) return false;
    draft.role = readRole(json) ?? (json.is(TOOL) ? 'tool' : undefined);
    return draft.role !== undefined;
  }
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
    if (json.isKey(NAME)) called.name = json.name;
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
