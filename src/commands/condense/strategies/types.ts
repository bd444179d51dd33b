// What a strategy is. Trims make messages smaller and leave them in place; the others decide what of the past stays at all.
import type { FormatName, Message, Part, ToolCallPart } from '../../../lib/conversation/types.ts';
import type { Counter } from '../../../lib/tokens/count.ts';
import type { ToolRule } from '../tool-rules.ts';

/** What a trim may know of a message and its place. */
export interface Place {
  readonly format: FormatName;
  /** Its turn is over: the user has spoken since. */
  readonly past: boolean;
  readonly counter: Counter;
  /** The call that a result answers. */
  call(id: string): ToolCallPart | undefined;
  rule(tool: string): ToolRule;
  /** A later full copy of what this call read or wrote stays, so that a part of it, the call or its result, can go. */
  superseded(call: ToolCallPart, part: Part): boolean;
}

export interface Trim {
  readonly kind: 'trim';
  readonly name: string;
  readonly summary: string;
  /** The same message if there is nothing to take out; undefined if nothing would be left. */
  apply(message: Message, place: Place): Message | undefined;
}

/** Strategies that decide over steps. Their work is in plan.ts and in the rooms of their names. */
interface Structural {
  readonly kind: 'digest' | 'window' | 'summary';
  readonly name: string;
  readonly summary: string;
}

export type Strategy = Trim | Structural;
