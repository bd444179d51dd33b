// A message as most are, read without parsing it: texts, calls and results, whose texts are still bytes of their line.

import type { FormatName, Role } from '../../conversation/types.ts';
import type { JsonObject } from '../../json/values.ts';

/** A line, newline included, in whatever holds it now. */
export interface Line {
  bytes: Buffer;
  at: number;
  readonly length: number;
  readonly file: string;
  readonly number: number;
}

/** A JSON string in its line, quotes included: counted from the line's first byte. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The arguments of a call, an object as JSON: in the line, or where it has them as a string, in bytes of their own. */
export interface Input extends Span {
  readonly bytes?: Buffer;
}

export type PlainPart =
  | { readonly type: 'text'; readonly text: Span }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: Input }
  | { readonly type: 'tool_result'; readonly callId: string; readonly texts: readonly Span[]; readonly error: boolean };

/** No text of it is blank, but perhaps of a result; and there is always a part. */
export interface Plain {
  readonly from: FormatName;
  readonly role: Role;
  readonly parts: readonly PlainPart[];
  /** It is a role and its texts, which other dialects spell the same. */
  readonly shared: boolean;
  /** Fields that say something and that no dialect has: `_cost`, say. */
  readonly own: readonly string[];
  readonly meta?: JsonObject;
  /** The ids that were given to it, and the old ones: where there is no `meta`. */
  readonly renamed?: readonly (readonly [now: string, old: string])[];
}
