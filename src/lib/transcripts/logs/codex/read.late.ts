// The conversations of a log.

import type { Lose } from '../../../conversation/types.ts';
import type { LogOptions, Transcript } from '../../../dialects/types.ts';
import type { Rec } from '../../../json/record.ts';
import { isObject } from '../../../json/values.ts';
import { findSelected } from '../../select.ts';
import { readEntries } from './items.ts';
import { CODEX } from './name.ts';
import { Replay, type State } from './replay.ts';

/**
 * What the log comes to, and with `all` each state before a compaction or an undo. `select` takes the state that a line belonged to: the one
 * before something took it away.
 */
export function read(records: readonly Rec[], { all, select }: LogOptions, lose: Lose): Transcript[] {
  const wanted = select === undefined ? undefined : findSelected(select, records.map(selectable));
  if (wanted === -1) return [];
  const live: State[] = [];
  const others: State[] = [];
  let passed = false;
  const replay = new Replay((state, ends) => {
    if (wanted !== undefined && passed && live.length === 0) live.push(state());
    else if (wanted === undefined && (ends || all)) (ends ? live : others).push(state());
  });
  records.forEach((rec, i) => {
    replay.push(rec);
    if (i === wanted) passed = true;
  });
  if (wanted === undefined || live.length === 0) live.push(replay.state());
  const states = all ? [...live, ...others] : live;
  return states.map((state) => transcript(state, lose));
}

function selectable(rec: Rec) {
  const value = isObject(rec.value) ? rec.value : {};
  const payload = isObject(value.payload) ? value.payload : value;
  const names = [payload.id, payload.call_id, payload.turn_id];
  return { rec, ids: names.map((id) => (typeof id === 'string' ? id : undefined)) };
}

/** The instructions are the system prompt of the session. */
const BASE = { [CODEX]: 'base_instructions' };

function transcript({ session, entries }: State, lose: Lose): Transcript {
  const { id, parent, cwd, title, model, instructions } = session;
  const messages = readEntries(entries, model, lose);
  const system = instructions
    ? [{ role: 'system' as const, parts: [{ type: 'text' as const, text: instructions }], form: BASE }]
    : [];
  return { head: model === undefined ? {} : { model }, messages: [...system, ...messages], id, parent, cwd, title };
}
