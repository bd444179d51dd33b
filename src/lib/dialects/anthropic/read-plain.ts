import type { Role } from '../../conversation/types.ts';
import { ascii } from '../../json/ascii.ts';
import type { JsonBytes } from '../../json/bytes.ts';
import { isObject, type JsonObject } from '../../json/values.ts';
import type { Input, Plain, PlainPart, Span } from '../codec/plain-message.ts';
import {
  CONTENT,
  ID,
  isBlank,
  META,
  NAME,
  NULL,
  ROLE,
  readRole,
  readTexts,
  spanOf,
  TEXT,
  TYPE,
} from '../codec/plain-read.ts';
import { ANTHROPIC } from './name.ts';

const TOOL_USE = ascii('tool_use');
const TOOL_RESULT = ascii('tool_result');
const TOOL_USE_ID = ascii('tool_use_id');
const INPUT = ascii('input');
const IS_ERROR = ascii('is_error');
const RAW = ascii('"_raw"');
const NO_TEXT = ascii('""');
const NO_LIST = ascii('[]');
const TRUE = ascii('true');
const FALSE = ascii('false');

/** What was read of a message. */
interface Draft {
  readonly base: number;
  role: Role | undefined;
  content: boolean;
  /** The content is a list. */
  listed: boolean;
  readonly parts: PlainPart[];
  /** Fields that nobody else has. */
  own: string[] | undefined;
  /** It has a role and its content, and no other field. */
  bare: boolean;
  meta: JsonObject | undefined;
}

/** The message of a line; undefined for one that is something else, or no JSON. */
export function readPlain(json: JsonBytes): Plain | undefined {
  const draft: Draft = {
    base: json.at,
    role: undefined,
    content: false,
    listed: false,
    parts: [],
    own: undefined,
    bare: true,
    meta: undefined,
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
    draft.role = readRole(json);
    return draft.role !== undefined;
  }
  if (json.isKey(CONTENT)) return !draft.content && readContent(json, draft);
  draft.bare = false;
  if (!json.isKey(META)) return readOwn(json, draft);
  draft.meta = draft.meta === undefined ? readRenamed(json) : undefined;
  return draft.meta !== undefined;
}

/** What an earlier conversion renamed, if `_meta` says nothing else. */
function readRenamed(json: JsonBytes): JsonObject | undefined {
  const meta = json.object() ? json.parsed : undefined;
  if (!isObject(meta) || Object.keys(meta).length !== 1 || !isObject(meta.renamed)) return undefined;
  const { of, ids, ...others } = meta.renamed;
  return isObject(ids) && Object.keys(others).length === 0 ? meta : undefined;
}

/** A field whose name begins with `_` is somebody's own, and no dialect's. An empty one says nothing. */
function readOwn(json: JsonBytes, draft: Draft): boolean {
  const name = json.keyText;
  if (!name.startsWith('_') || name === '__proto__' || draft.own?.includes(name)) return false;
  if (json.word(NULL) || json.word(NO_TEXT) || json.word(NO_LIST)) return true;
  if (!json.value()) return false;
  draft.own ??= [];
  draft.own.push(name);
  return true;
}

function readContent(json: JsonBytes, draft: Draft): boolean {
  const { base, parts } = draft;
  draft.content = true;
  if (json.string()) {
    parts.push({ type: 'text', text: spanOf(json, base) });
    return true;
  }
  draft.listed = true;
  if (!json.beginsList()) return false;
  do if (!readBlock(json, base, parts)) return false;
  while (json.continues());
  return json.endsList();
}

/** A content block, of whatever type. */
interface Block {
  type?: PlainPart['type'];
  text?: Span;
  id?: string;
  name?: string;
  input?: Input;
  callId?: string;
  texts?: Span[];
  error?: boolean;
}

function readBlock(json: JsonBytes, base: number, parts: PlainPart[]): boolean {
  const block: Block = {};
  if (!json.begins()) return false;
  let fields = 0;
  do {
    fields += 1;
    if (!json.key() || !readBlockField(json, base, block)) return false;
  } while (json.continues());
  const part = partOf(block, fields);
  if (part) parts.push(part);
  return part !== undefined && json.ends();
}

function readBlockField(json: JsonBytes, base: number, block: Block): boolean {
  if (json.isKey(INPUT)) {
    // Text that is no JSON comes back under that name.
    if (!json.object() || json.beginsWith(RAW)) return false;
    block.input = spanOf(json, base);
    return true;
  }
  if (json.isKey(CONTENT)) {
    block.texts = [];
    return readTexts(json, base, block.texts);
  }
  if (json.isKey(IS_ERROR)) {
    block.error = json.word(TRUE);
    return block.error || json.word(FALSE);
  }
  if (!json.string()) return false;
  if (json.isKey(TYPE)) block.type = typeOf(json);
  else if (json.isKey(TEXT)) block.text = spanOf(json, base);
  else if (json.isKey(ID)) block.id = json.text;
  else if (json.isKey(NAME)) block.name = json.name;
  else if (json.isKey(TOOL_USE_ID)) block.callId = json.text;
  else return false;
  return true;
}

function typeOf(json: JsonBytes): PlainPart['type'] | undefined {
  if (json.is(TEXT)) return 'text';
  if (json.is(TOOL_USE)) return 'tool_call';
  return json.is(TOOL_RESULT) ? 'tool_result' : undefined;
}

/** The part of a block that has what its type has, and nothing else. */
function partOf({ type, text, id, name, input, callId, texts, error }: Block, fields: number): PlainPart | undefined {
  if (type === 'text') return text && fields === 2 ? { type, text } : undefined;
  if (type === 'tool_call') {
    const isCall = id && name !== undefined && input && fields === 4;
    return isCall ? { type, id, name, input } : undefined;
  }
  if (type === undefined || !callId || !texts || fields !== (error === undefined ? 3 : 4)) return undefined;
  return { type, callId, texts, error: error === true };
}

const NONE: readonly string[] = [];

/** What a message may hold beside texts. */
const OTHERS: { readonly [role in Role]?: PlainPart['type'] } = { user: 'tool_result', assistant: 'tool_call' };

function plainOf(json: JsonBytes, { base, role, parts, listed, own, bare, meta }: Draft): Plain | undefined {
  if (role === undefined || parts.length === 0) return undefined;
  let texts = 0;
  for (const part of parts)
    if (part.type !== 'text') {
      if (part.type !== OTHERS[role]) return undefined;
    } else if (isBlank(json, base, part.text)) return undefined;
    else texts += 1;
  const shared = bare && texts === parts.length && (!listed || texts > 1);
  return { from: ANTHROPIC, role, parts, shared, own: own ?? NONE, meta };
}
