// A reply in the dialect of a stream that cannot say all of it: the next request to the same API has it whole again.

import type { Lose, Message } from '../conversation/types.ts';
import type { Format } from '../dialects/types.ts';
import { equal, type Json, type JsonObject } from '../json/values.ts';
import { laden } from './carry.ts';
import { comeBack } from './convert.ts';

/**
 * The records of a message that came from the API of `from`, for a conversation in `to`. What `to` cannot say (the signature of a thought, say)
 * is under `_meta.carry`, and a conversion to `from` restores it.
 */
export function writeCarried(message: Message, from: Format, to: Format, lose: Lose): JsonObject[] {
  if (from === to) return to.writeMessages([message], lose);
  const written = to.writeMessages([content(message)], lose);
  const source: Json[] = from.writeMessages([content(message)], () => {});
  const back = comeBack(written, to, from, undefined);
  if (equal(back, source)) return written;
  return [...laden({ of: from.name, in: to.name, source, written, back })];
}

/** Without what belongs to the reply that it came in, and to the spelling of that. */
const content = ({ ext: _, form: __, ...message }: Message): Message => message;
