// From the entries of a branch to the messages of a conversation.

import type { Message } from '../../../conversation/types.ts';
import { timeMeta } from '../../../dialects/codec/timestamps.ts';
import type { LogOptions, Transcript } from '../../../dialects/types.ts';
import type { Rec } from '../../../json/record.ts';
import { isObject, type Json, type JsonObject } from '../../../json/values.ts';
import { NO_MODEL, readSystem } from '../../log-writing.ts';
import { findSelected } from '../../select.ts';
import { type Entry, endOf, leaves, pathTo, readSessions, type Session } from './entries.ts';
import { readMessage, readText } from './messages.ts';
import { PI } from './name.ts';

export function read(records: readonly Rec[], { all, select }: LogOptions): Transcript[] {
  const sessions = readSessions(records);
  if (select !== undefined) return selected(sessions, select);
  return sessions.flatMap((session) => {
    const last = session.entries.at(-1);
    const others = all ? leaves(session).filter((leaf) => leaf !== last && pathTo(leaf).some(isSaid)) : [];
    return [transcript(session, last), ...others.map((leaf) => transcript(session, leaf))];
  });
}

/** A branch of settings alone is no conversation. */
const isSaid = ({ value }: Entry): boolean => value.type === 'message' || value.type === 'custom_message';

function selected(sessions: readonly Session[], select: string): Transcript[] {
  const named = sessions.find(({ header }) => header.id === select);
  if (named) return [transcript(named, named.entries.at(-1))];
  const entries = sessions.flatMap((session) => session.entries.map((entry) => ({ session, entry })));
  const found =
    entries[
      findSelected(
        select,
        entries.map(({ entry: { rec, id } }) => ({ rec, ids: [id] })),
      )
    ];
  return found ? [transcript(found.session, endOf(found.entry, found.session))] : [];
}

function transcript(session: Session, leaf: Entry | undefined): Transcript {
  const path = pathTo(leaf);
  const { id, cwd, parentSession, branchedFrom } = session.header;
  const parent = parentSession ?? branchedFrom;
  const title = session.entries.findLast(({ value }) => value.type === 'session_info')?.value.name;
  const model = modelOf(path, session);
  return {
    head: model === undefined ? {} : { model },
    messages: [
      ...readSystem(session.header._meta),
      ...spoken(path, session).flatMap((entry) => readEntry(entry) ?? []),
    ],
    ...(typeof id === 'string' && { id }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    ...(typeof parent === 'string' && { parent }),
    ...(typeof title === 'string' && { title }),
  };
}

/** The entries that count. After a compaction: its summary, what it kept, and what came later. */
function spoken(path: readonly Entry[], session: Session): readonly Entry[] {
  const at = path.findLastIndex(({ value }) => value.type === 'compaction');
  const compaction = path[at];
  if (compaction === undefined) return path;
  const { firstKeptEntryId, firstKeptEntryIndex } = compaction.value;
  const first = typeof firstKeptEntryIndex === 'number' ? session.lines[firstKeptEntryIndex] : undefined;
  const from = path.findIndex((entry) => entry === first || (entry.id !== undefined && entry.id === firstKeptEntryId));
  const kept = from >= 0 && from < at ? path.slice(from, at).filter(({ value }) => value.type !== 'compaction') : [];
  return [compaction, ...kept, ...path.slice(at + 1)];
}

function modelOf(path: readonly Entry[], { header }: Session): string | undefined {
  let name = header.modelId;
  for (const { value } of path) {
    const { type, message, modelId } = value;
    if (type === 'model_change') name = modelId;
    else if (isObject(message) && message.role === 'assistant' && message.model !== NO_MODEL)
      name = message.model ?? name;
  }
  return typeof name === 'string' ? name : undefined;
}

const SUMMARY = { [PI]: 'compaction' };
const BRANCH = { [PI]: 'branch_summary' };

function readEntry({ value }: Entry): Message | undefined {
  const { type, message, summary, timestamp } = value;
  const meta = timeMeta(timestamp);
  const told = { ...(meta && { meta }) };
  if (type === 'message' && isObject(message)) return readMessage(message, meta, value._meta);
  if (type === 'custom_message') return custom(value, told);
  if (type === 'compaction') return { ...heard(`${COMPACTED}\n${summary}\n</summary>`), ...told, form: SUMMARY };
  if (type === 'branch_summary' && summary)
    return { ...heard(`${BRANCHED}\n${summary}\n</summary>`), ...told, form: BRANCH };
  return undefined;
}

/** As pi tells the model. */
const COMPACTED = 'The conversation before this point was compacted into this summary:\n\n<summary>';
const BRANCHED = 'This conversation came back from a branch that is summarized here:\n\n<summary>';

const heard = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

/** What an extension told the model; our own writer keeps system messages so. */
function custom({ customType, content, details }: JsonObject, told: Partial<Message>): Message | undefined {
  const parts = readText(content as Json);
  const role = customType === 'system' || customType === 'developer' ? ownRole(details, customType) : 'user';
  return parts.length > 0 ? { role, parts, ...told } : undefined;
}

function ownRole(details: unknown, role: 'system' | 'developer'): Message['role'] {
  return isObject(details) && details.role === role ? role : 'user';
}
