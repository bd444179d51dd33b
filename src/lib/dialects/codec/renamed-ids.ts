// `_meta.renamed`: the ids and names that an API did not take, by those that stand in their place.

import type { FormatName } from '../../conversation/types.ts';
import { isObject, type JsonObject } from '../../json/values.ts';

/** What was renamed: `ids` of calls, or `names` of tools. */
type RenamedKind = 'ids' | 'names';

/** The old ones of one kind, by the new, and the dialect that they came from: there they are good as they are. */
export interface RenamedMap {
  readonly of?: FormatName;
  readonly old: ReadonlyMap<string, string>;
}

export function renamedIn(meta: JsonObject | undefined, kind: RenamedKind): RenamedMap {
  const renamed = isObject(meta?.renamed) ? meta.renamed : {};
  const entries = isObject(renamed[kind]) ? Object.entries(renamed[kind]) : [];
  const old = new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  return { ...(typeof renamed.of === 'string' && { of: renamed.of }), old };
}

/**
 * `_meta` with the new map of one kind in place of the old; without one, if nothing is renamed. `of` is the dialect where the old ones are good;
 * undefined if they are good nowhere.
 */
export function withRenamed(
  meta: JsonObject | undefined,
  kind: RenamedKind,
  of: FormatName | undefined,
  old: ReadonlyMap<string, string>,
): JsonObject | undefined {
  if (meta === undefined) {
    if (old.size === 0) return undefined;
    const map = Object.fromEntries(old);
    return { renamed: of === undefined ? { [kind]: map } : { of, [kind]: map } };
  }
  const { renamed, ...rest } = meta;
  const { [kind]: _, of: before, ...others } = isObject(renamed) ? renamed : {};
  const from = before ?? of;
  const now = { ...others, ...(old.size > 0 && { [kind]: Object.fromEntries(old) }) };
  if (Object.keys(now).length === 0) return Object.keys(rest).length > 0 ? rest : undefined;
  return { ...rest, renamed: { ...(from !== undefined && { of: from }), ...now } };
}
