// The entries of a session and the tree they make. https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/session.md

import type { Rec } from '../../../json/record.ts';
import { isObject, type JsonObject } from '../../../json/values.ts';

export interface Entry {
  readonly index: number;
  readonly rec: Rec;
  readonly value: JsonObject;
  readonly id?: string;
  readonly parent?: Entry;
}

/** One session: a header, and entries. */
export interface Session {
  readonly header: JsonObject;
  readonly entries: readonly Entry[];
  /** The place of each entry among the lines of the file, header included: old compactions count so. */
  readonly lines: readonly (Entry | undefined)[];
}

/** The sessions of a file: a header begins one. The last entry is the leaf; entries without ids follow each other. */
export function readSessions(records: readonly Rec[]): Session[] {
  const sessions: { header: JsonObject; entries: Entry[]; lines: (Entry | undefined)[] }[] = [];
  let byId = new Map<string, Entry>();
  for (const rec of records) {
    const { value } = rec;
    if (!isObject(value)) continue;
    if (value.type === 'session' || sessions.length === 0) {
      byId = new Map();
      sessions.push({ header: value.type === 'session' ? value : {}, entries: [], lines: [] });
    }
    const session = sessions.at(-1);
    if (value.type === 'session') session?.lines.push(undefined);
    if (value.type === 'session' || session === undefined) continue;
    const entry = linked(value, rec, session.entries, byId);
    if (entry.id !== undefined) byId.set(entry.id, entry);
    session.entries.push(entry);
    session.lines.push(entry);
  }
  return sessions;
}

function linked(value: JsonObject, rec: Rec, before: readonly Entry[], byId: ReadonlyMap<string, Entry>): Entry {
  const { id, parentId } = value;
  const named = typeof parentId === 'string' ? byId.get(parentId) : undefined;
  // A parent that is not there was lost: what stands before it is the nearest.
  const parent = parentId === null ? undefined : (named ?? before.at(-1));
  return { index: before.length, rec, value, ...(typeof id === 'string' && { id }), ...(parent && { parent }) };
}

/** The entries from the root to `leaf`. A parent always stands before its children, so no way is a circle. */
export function pathTo(leaf: Entry | undefined): Entry[] {
  const path: Entry[] = [];
  for (let entry = leaf; entry; entry = entry.parent) path.push(entry);
  return path.reverse();
}

/** The entries that nothing follows, in the order of the file. */
export function leaves({ entries }: Session): Entry[] {
  const followed = new Set(entries.map(({ parent }) => parent));
  return entries.filter((entry) => !followed.has(entry));
}

/** The last entry of the file on a branch through `entry`. */
export function endOf(entry: Entry, { entries }: Session): Entry {
  const under = new Set<Entry>([entry]);
  for (const each of entries.slice(entry.index + 1)) if (each.parent && under.has(each.parent)) under.add(each);
  return [...under].at(-1) ?? entry;
}
