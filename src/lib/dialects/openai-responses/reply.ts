// Whole replies: https://platform.openai.com/docs/api-reference/responses/object

import { readMeta, writeMeta } from '../../conversation/meta.ts';
import type { Lose, Message, Part, Stop, StopReason } from '../../conversation/types.ts';
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { own, replyOf, residual } from '../codec/residual.ts';
import { RESPONSES } from './name.ts';
import { readContent } from './read-content.ts';
import { readItem, whole } from './read-item.ts';
import { readMessage } from './read-message.ts';
import type { ResponseFields } from './types.ts';
import { readUsage, writeUsage } from './usage.ts';
import type { NewId } from './write-item.ts';
import { writeItems } from './write-items.ts';

const REPLY = replyOf(RESPONSES);

/** What else a reply says is mostly the request once more: it stays in the residual as a whole. */
export function readReply(native: JsonObject): Message {
  const { id, object, created_at, model, output, usage, _meta, ...more } = native as ResponseFields;
  const parts = asArray(output, 'output').flatMap((item, index) =>
    readOutput(asObject<JsonObject>(item, `output[${index}]`)),
  );
  const at = Number.isInteger(created_at) ? { at: (created_at as number) * 1000 } : {};
  const kept = { ...more, object, usage: isObject(usage) ? undefined : usage, ...(!('at' in at) && { created_at }) };
  return {
    role: 'assistant',
    parts,
    ...readMeta(_meta),
    id,
    by: { api: RESPONSES, model: model as string },
    stop: readStop(native, parts),
    usage: readUsage(usage),
    ...at,
    form: { [RESPONSES]: 'response' },
    ext: residual(REPLY, {}, kept),
  };
}

/** The reply that items of a conversation are together. Where they are told its making, it stands in their `_meta`. */
export function gather(items: readonly JsonObject[]): Message {
  const parts = items.flatMap(({ _meta, ...item }) => (isBare(item) ? readMessage(item).parts : readOutput(item)));
  const about = items.map(({ _meta }) => readMeta(_meta) ?? {});
  return Object.assign({ role: 'assistant', parts, form: { [RESPONSES]: 'response' } }, ...about) as Message;
}

/** A message without an id is nothing that the API gave: it gets one where it is written. */
const isBare = ({ type, role, id }: JsonObject): boolean =>
  id === undefined && (type === 'message' || typeof role === 'string');

/** The parts of one item of the output. The first part of a message remembers the message. */
function readOutput(item: JsonObject): Part[] {
  if (item.type !== 'message') return [readItem(item).part];
  const { content, ...about } = item;
  const [first, ...others] = Array.isArray(content) ? readContent(content) : [];
  if (first === undefined || first.type === 'native') return [whole(item)];
  const ext = { ...first.ext, [RESPONSES]: { ...own(first.ext, RESPONSES), item: about } };
  return [{ ...first, ext }, ...others];
}

/** The status says little: the content says whether there are calls, and the details why it is not complete. */
function readStop(native: JsonObject, parts: readonly Part[]): Stop | undefined {
  const { status, incomplete_details } = native;
  if (typeof status !== 'string') return undefined;
  const why = isObject(incomplete_details) ? incomplete_details.reason : undefined;
  if (status === 'incomplete') return { reason: lookup(REASONS, why) ?? 'other', raw: String(why ?? status) };
  if (status !== 'completed') return { reason: status === 'failed' ? 'error' : 'other', raw: status };
  const calls = parts.some((part) => part.type === 'tool_call' && part.by !== 'provider');
  return { reason: calls ? 'tool_calls' : 'stop', raw: status };
}

const REASONS: { readonly [reason: string]: StopReason } = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
};

export function writeReply(message: Message, lose: Lose): JsonObject {
  const output = writeItems(message, lose, newIds(message.id));
  return { ...writeShell(message), output };
}

/** A reply without its output: what it says of itself. From elsewhere it gets the fields that the API always sends. */
export function writeShell(message: Message): JsonObject {
  const { id, by, at, usage } = message;
  const kept = own(message.ext, REPLY);
  return {
    ...(kept ?? ALWAYS),
    object: 'response',
    id: id ?? 'resp_0',
    created_at: kept?.created_at ?? (at === undefined ? 0 : at / 1000),
    ...(by?.model !== undefined ? { model: by.model } : kept ? {} : { model: 'unknown' }),
    ...writeStop(message, kept),
    output: [],
    ...(usage && { usage: writeUsage(usage) }),
    ...writeMeta([{ ...message, id: undefined, by: undefined, stop: undefined, usage: undefined }]),
  };
}

const ALWAYS: JsonObject = {
  access_programs: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
};

/** Status and details, as they came if they still say what the view says. */
function writeStop(message: Message, kept: JsonObject | undefined): JsonObject {
  const { stop, parts } = message;
  if (kept && readStop(kept, parts)?.reason === stop?.reason) return {};
  const reason = DETAILS[stop?.reason ?? 'stop'];
  if (stop?.reason === 'error') return { status: 'failed', error: { code: 'server_error', message: stop.raw ?? '' } };
  if (reason === undefined) return { status: 'completed', incomplete_details: null };
  return { status: 'incomplete', incomplete_details: { reason } as Json };
}

const DETAILS: { readonly [reason in StopReason]?: string } = {
  length: 'max_output_tokens',
  context_window: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** Ids for the items of a reply that comes from elsewhere: its own id and a number, so that the same reply gets the same ids. */
export function newIds(replyId: string | undefined): NewId {
  const base = String(replyId ?? '0')
    .replace(/^[a-z]+[_-]/i, '')
    .replace(/[^A-Za-z0-9]+/g, '')
    .slice(0, 48);
  let count = 0;
  return (prefix) => `${prefix}_${base}${count++}`;
}
