// The conversations of the sessions that were found.

import type { Lose } from '../../../conversation/types.ts';
import type { LogOptions, Transcript } from '../../../dialects/types.ts';
import type { Rec } from '../../../json/record.ts';
import { isObject } from '../../../json/values.ts';
import { findSelected } from '../../select.ts';
import { readMessage } from './messages.ts';
import { type Message, readSessions, type Session } from './objects.ts';

/**
 * Every session as it stands: without what was undone, and from the last compaction on. Those of sub-agents come with `all`, or if there are no
 * others; so do undone and compacted messages, as conversations of their own. `select` takes a session by its id or by that of a message.
 */
export function read(records: readonly Rec[], { all, select }: LogOptions, lose: Lose): Transcript[] {
  const sessions = readSessions(records);
  if (select !== undefined) return selected(sessions, select, lose);
  const top = sessions.filter(({ info }) => typeof info.parentID !== 'string');
  const live = top.length > 0 ? top : sessions;
  if (!all) return live.map((session) => transcript(session, present(session), lose));
  const others = sessions.filter((session) => !live.includes(session));
  return [...live, ...others].flatMap((session) => {
    const now = present(session);
    const states = now.length === session.messages.length ? [now] : [now, session.messages];
    return states.map((messages) => transcript(session, messages, lose));
  });
}

function selected(sessions: readonly Session[], select: string, lose: Lose): Transcript[] {
  const entries = sessions.flatMap((session) => [
    { session, message: undefined, rec: { value: undefined }, ids: [idOf(session.info.id)] },
    ...session.messages.map((message) => ({ session, message, rec: message.rec, ids: [idOf(message.info.id)] })),
  ]);
  const found = entries[findSelected(select, entries)];
  if (found === undefined) return [];
  const now = present(found.session);
  const taken = found.message !== undefined && !now.includes(found.message);
  return [transcript(found.session, taken ? found.session.messages : now, lose)];
}

const idOf = (id: unknown): string | undefined => (typeof id === 'string' ? id : undefined);

/** What counts now. After a compaction: its request, the summary, the messages it kept, and what came later. */
function present(session: Session): readonly Message[] {
  const messages = standing(session);
  const at = messages.findLastIndex(
    ({ info }) => info.role === 'assistant' && info.summary === true && isFinished(info),
  );
  const summary = messages[at];
  if (summary === undefined) return messages;
  const asked = messages.findIndex(({ info }) => info.id === summary.info.parentID);
  const from = asked >= 0 && asked < at ? asked : at;
  const compaction = messages[from]?.parts.find(({ type }) => type === 'compaction');
  const tail = messages.findIndex(({ info }) => info.id !== undefined && info.id === compaction?.tail_start_id);
  const kept = tail >= 0 && tail < from ? messages.slice(tail, from) : [];
  return [...messages.slice(from, at + 1), ...kept, ...messages.slice(at + 1)];
}

const isFinished = ({ finish, error, time }: Message['info']): boolean =>
  !isObject(error) && (typeof finish === 'string' || (isObject(time) && time.completed !== undefined));

/** The messages before the one that an undo goes back to. */
function standing({ info, messages }: Session): readonly Message[] {
  const back = isObject(info.revert) ? info.revert.messageID : undefined;
  const at = back === undefined ? -1 : messages.findIndex((message) => message.info.id === back);
  return at < 0 ? messages : messages.slice(0, at);
}

const spoken = (text: string) => ({ role: 'system', parts: [{ type: 'text', text }] }) as const;

function transcript({ info }: Session, messages: readonly Message[], lose: Lose): Transcript {
  const read = messages.flatMap((message) => readMessage(message, lose));
  const model = read.findLast(({ by }) => by?.model !== undefined)?.by?.model;
  const { id, title, directory, parentID } = info;
  // A prompt of the user's own is repeated with each message.
  const system = messages.map((message) => message.info.system).find((text) => typeof text === 'string' && text !== '');
  return {
    head: model === undefined ? {} : { model },
    messages: typeof system === 'string' ? [spoken(system), ...read] : read,
    ...(typeof id === 'string' && { id }),
    ...(typeof title === 'string' && { title }),
    ...(typeof directory === 'string' && { cwd: directory }),
    ...(typeof parentID === 'string' && { parent: parentID }),
  };
}
