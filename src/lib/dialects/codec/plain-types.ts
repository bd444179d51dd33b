// What a dialect says of its plain messages.

import type { Lose, Role } from '../../conversation/types.ts';
import type { ByteRoom } from '../../json/byte-buffer.ts';
import type { JsonBytes } from '../../json/bytes.ts';
import type { Line, Plain } from './plain-message.ts';

/** A plain message with the line that has its texts. */
export interface Placed {
  readonly plain: Plain;
  readonly line: Line;
}

/** Plain messages, read and written as bytes. */
export interface PlainLines {
  /** The message of the line that begins where the walk stands; undefined for a line that is something else, or no JSON. */
  read(json: JsonBytes): Plain | undefined;
  /** Messages that share records, as the lines of these. */
  write(group: readonly Placed[], room: ByteRoom, lose: Lose): void;
  /** Whether more is to be said of a message, which shares a record with those before it, than `write` can. */
  refuses?(group: readonly Placed[], next: Plain): boolean;
  /** Whether a message shares records with the one before it. */
  joins(last: Role | undefined, next: Role): boolean;
}
