// The conversations of a log.

import type { Lose } from '../../../conversation/types.ts';
import type { LogOptions, Transcript } from '../../../dialects/types.ts';
import type { Rec } from '../../../json/record.ts';
import { isObject } from '../../../json/values.ts';
import { findSelected } from '../../select.ts';
import { MessageReader } from './messages.ts';
import { Replay, type State } from './replay.ts';

/** What the log comes to, and with `all` each state before something was taken away. `select` takes the state that a line belonged to. */
export function read(records: readonly Rec[], { all, select }: LogOptions, lose: Lose): Transcript[] {
  const wanted = select === undefined ? undefined : findSelected(select, records.map(selectable));
  if (wanted === -1) return [];
  const live: State[] = [];
  const others: State[] = [];
  let passed = false;
  const replay = new Replay((state, ends) => {
    if (wanted === undefined && (ends || all)) (ends ? live : others).push(state());
    else if (passed && live.length === 0) live.push(state());
  });
  records.forEach((rec, i) => {
    replay.push(rec);
    if (i === wanted) passed = true;
  });
  if (wanted === undefined || live.length === 0) live.push(replay.state());
  return [...live, ...(all ? others : [])].map((state) => transcript(state, lose));
}

function selectable(rec: Rec) {
  const { id, sessionId } = isObject(rec.value) ? rec.value : {};
  return { rec, ids: [id, sessionId].map((each) => (typeof each === 'string' ? each : undefined)) };
}

function transcript({ about, messages }: State, lose: Lose): Transcript {
  const reader = new MessageReader(lose);
  const read = messages.flatMap((message) => reader.read(message));
  const model = read.findLast(({ by }) => by?.model !== undefined)?.by?.model ?? modelIn(about.meta);
  const [cwd] = Array.isArray(about.directories) ? about.directories : [];
  return {
    head: model === undefined ? {} : { model },
    messages: read,
    ...(typeof about.sessionId === 'string' && { id: about.sessionId }),
    ...(typeof about.summary === 'string' && { title: about.summary }),
    ...(typeof cwd === 'string' && { cwd }),
  };
}

function modelIn(meta: unknown): string | undefined {
  return isObject(meta) && typeof meta.model === 'string' ? meta.model : undefined;
}
