// A reply in the dialect of a stream that cannot say all of it: the next request to the same API has it whole again.
import { equal, isObject, type Json, type JsonObject } from '../ir/json.ts';
import { writeMeta } from '../ir/meta.ts';
import type { Lose, Message } from '../ir/types.ts';
import { laden } from './carry.ts';
import { comeBack } from './convert.ts';
import type { Format } from './types.ts';

/**
 * The records of a message that came from the API of `from`, for a conversation in `to`. What `to` cannot say (the signature of a thought, say)
 * is under `_meta.carry`, and a conversion to `from` restores it.
 */
export function writeCarried(message: Message, from: Format, to: Format, lose: Lose): JsonObject[] {
  if (from === to) return to.writeMessages([message], lose);
  const { role, parts, name, ext, form } = message;
  const said: Message = { role, parts, name, ext, form };
  const written = to.writeMessages([said], lose);
  const source: Json[] = from.writeMessages([said], () => {});
  const back = comeBack(written, to, from, undefined);
  const needed = !equal(back, source);
  const [first, ...rest] = needed ? laden({ of: from.name, in: to.name, source, written, back }, undefined) : written;
  const meta = writeMeta([message])?._meta;
  if (first === undefined) return [];
  return [{ ...first, _meta: { ...meta, ...(isObject(first._meta) ? first._meta : {}) } }, ...rest];
}
