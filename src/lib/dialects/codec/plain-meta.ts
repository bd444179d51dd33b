// `_meta` of plain messages: what was renamed.

import { writeMeta as metaOfGroup } from '../../conversation/meta.ts';
import type { FormatName } from '../../conversation/types.ts';
import { ascii, COLON, COMMA } from '../../json/ascii.ts';
import type { ByteRoom } from '../../json/byte-buffer.ts';
import type { JsonObject } from '../../json/values.ts';
import type { Plain } from './plain-message.ts';
import type { Placed } from './plain-types.ts';
import { withRenamed } from './renamed-ids.ts';

/** The `_meta` of a message. */
export function metaOf({ meta, renamed, from }: Plain): JsonObject | undefined {
  return renamed === undefined ? meta : withRenamed(meta, 'ids', from, new Map(renamed));
}

type Pair = readonly [now: string, old: string];

const META = ascii(',"_meta":');
const RENAMED = ascii('{"renamed":{"of":');
const IDS = ascii(',"ids":{');
const END = ascii('}}}');

/** `_meta` of the record that messages share, as a field behind others, if they say something there. */
export function writeMeta(room: ByteRoom, group: readonly Placed[]): void {
  const said = group.filter(({ plain }) => plain.meta !== undefined || plain.renamed !== undefined);
  const [first] = said;
  if (first === undefined || writeRenamed(room, said, first.plain.from)) return;
  const meta = metaOfGroup(said.map(({ plain }) => ({ role: 'user', parts: [], meta: metaOf(plain) })));
  if (meta === undefined) return;
  room.copy(META);
  room.json(meta._meta);
}

const FEW = 8;

/** The usual case by hand: an object whose names are others each time costs far more to make than to write. */
function writeRenamed(room: ByteRoom, said: readonly Placed[], from: FormatName): boolean {
  const pairs = said.length === 1 ? (said[0]?.plain.renamed ?? []) : said.flatMap(({ plain }) => plain.renamed ?? []);
  if (said.some(({ plain }) => plain.meta !== undefined) || pairs.length > FEW || !pairs.every(isPlace)) return false;
  room.copy(META);
  room.copy(RENAMED);
  room.text(from);
  room.copy(IDS);
  for (const [i, [now, old]] of pairs.entries()) {
    if (i > 0) room.byte(COMMA);
    room.text(now);
    room.byte(COLON);
    room.text(old);
  }
  room.copy(END);
  return true;
}

/** Whether a name comes once, and an object would keep its place. */
const isPlace = (pair: Pair, i: number, pairs: readonly Pair[]): boolean =>
  !/^\d/.test(pair[0]) && pairs.findIndex(([now]) => now === pair[0]) === i;
