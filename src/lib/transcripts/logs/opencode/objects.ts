// The objects of a session: one for itself, one for each message, one for each part. They lie in files of their own, or together in an export.
// https://github.com/sst/opencode/blob/dev/packages/opencode/src/session/message-v2.ts

import type { Rec } from '../../../json/record.ts';
import { isObject, type JsonObject } from '../../../json/values.ts';

export interface Message {
  readonly rec: Rec;
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

export interface Session {
  readonly info: JsonObject;
  readonly messages: readonly Message[];
}

export function recognise(value: JsonObject): boolean {
  return isSession(value) || isMessage(value) || isPart(value) || isProject(value) || isExport(value) || isPair(value);
}

const isSession = ({ id, directory, projectID }: JsonObject): boolean =>
  typeof id === 'string' && typeof directory === 'string' && typeof projectID === 'string';

const isMessage = ({ id, sessionID, role, time }: JsonObject): boolean =>
  typeof id === 'string' && typeof sessionID === 'string' && typeof role === 'string' && isObject(time);

const isPart = ({ id, type, messageID, sessionID, role, ...rest }: JsonObject): boolean => {
  if (typeof id !== 'string' || typeof type !== 'string' || role !== undefined) return false;
  if (typeof messageID === 'string') return true;
  // A part that is known by its file name alone.
  return type === 'text' && typeof rest.text === 'string' && isObject(rest.time) && typeof rest.time.start === 'number';
};

const isProject = ({ id, worktree, time }: JsonObject): boolean =>
  typeof id === 'string' && typeof worktree === 'string' && isObject(time);

/** What `opencode export` prints. */
const isExport = ({ info, messages }: JsonObject): boolean =>
  isObject(info) && isSession(info) && Array.isArray(messages);

/** A message with its parts. */
const isPair = ({ info, parts }: JsonObject): boolean => isObject(info) && isMessage(info) && Array.isArray(parts);

interface Gathered {
  readonly sessions: Map<string, JsonObject>;
  readonly messages: Map<string, { rec: Rec; info: JsonObject }>;
  readonly parts: Map<string, Map<string, { rec: Rec; part: JsonObject }>>;
}

/** The sessions that the objects make, in the order in which they appear. An object that comes again takes the place of the earlier one. */
export function readSessions(records: readonly Rec[]): Session[] {
  const found: Gathered = { sessions: new Map(), messages: new Map(), parts: new Map() };
  for (const rec of records) if (isObject(rec.value)) gather(rec.value, rec, found);
  const messages = new Map<string, Message[]>();
  for (const [id, { rec, info }] of found.messages) {
    const session = String(info.sessionID);
    const message = { rec, info, parts: inOrder([...(found.parts.get(id)?.values() ?? [])]) };
    const list = messages.get(session);
    if (list) list.push(message);
    else messages.set(session, [message]);
  }
  for (const id of messages.keys()) if (!found.sessions.has(id)) found.sessions.set(id, { id });
  return [...found.sessions].map(([id, info]) => ({ info, messages: byTime(messages.get(id) ?? []) }));
}

function gather(value: JsonObject, rec: Rec, found: Gathered): void {
  const { info, messages, parts } = value;
  if (isExport(value)) {
    gather(info as JsonObject, rec, found);
    for (const message of messages as JsonObject[]) if (isObject(message)) gather(message, rec, found);
  } else if (isPair(value)) {
    gather(info as JsonObject, rec, found);
    for (const part of parts as JsonObject[])
      if (isObject(part)) gather({ messageID: (info as JsonObject).id, ...part }, rec, found);
  } else if (isSession(value)) found.sessions.set(String(value.id), value);
  else if (isMessage(value)) found.messages.set(String(value.id), { rec, info: value });
  else if (isPart(value)) {
    const message = typeof value.messageID === 'string' ? value.messageID : folderOf(rec);
    const known = found.parts.get(message);
    if (known) known.set(String(value.id), { rec, part: value });
    else found.parts.set(message, new Map([[String(value.id), { rec, part: value }]]));
  }
}

/** Parts of old versions do not name their message: it is the folder that they lie in. */
const folderOf = ({ file = '' }: Rec): string => file.split('/').at(-2) ?? '';

const PART = /^prt_[0-9a-f]{12}/;
const MESSAGE = /^msg_[0-9a-f]{12}/;

/** Real ids rise with time; others say nothing, and the names of the files count, and their order. */
function inOrder(found: { rec: Rec; part: JsonObject }[]): JsonObject[] {
  const named = found.every(({ part }) => PART.test(String(part.id)));
  const name = ({ rec, part }: { rec: Rec; part: JsonObject }) => (named ? String(part.id) : (rec.file ?? ''));
  return found.sort((a, b) => compare(name(a), name(b))).map(({ part }) => part);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function byTime(messages: Message[]): Message[] {
  const created = ({ info }: Message) => (isObject(info.time) ? Number(info.time.created) : Number.NaN);
  const named = messages.every(({ info }) => MESSAGE.test(String(info.id)));
  return messages.sort((a, b) => {
    const apart = created(a) - created(b);
    if (apart !== 0 && !Number.isNaN(apart)) return apart;
    return named ? compare(String(a.info.id), String(b.info.id)) : 0;
  });
}
