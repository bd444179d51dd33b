// A reply in the dialect of a stream that cannot say all of it: the next request to the same API has it whole again.
import { equal, type Json, type JsonObject } from '../ir/json.ts';
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
  const written = to.writeMessages([content(message)], lose);
  const source: Json[] = from.writeMessages([content(message)], () => {});
  const back = comeBack(written, to, from, undefined);
  if (equal(back, source)) return written;
  return [...laden({ of: from.name, in: to.name, source, written, back })];
}

/** Without what belongs to the reply that it came in, and to the spelling of that. */
const content = ({ ext: _, form: __, ...message }: Message): Message => message;
