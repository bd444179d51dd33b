// Calls without an id: the API pairs them with their results by order and name, within a turn.
import type { Part } from '../../conversation/types.ts';
import { GEMINI } from './name.ts';

/** What a part is marked with that came without an id. */
export const NO_ID = '-id';

/** Whether a call, or a result, came without an id, so that the one it has was made up here. */
export function lacksId(part: Part): boolean {
  const called = (part.type === 'tool_call' || part.type === 'tool_result') && part.by !== 'provider';
  return called && (part.form?.[GEMINI]?.split(' ', 1)[0]?.includes(NO_ID) ?? false);
}

/**
 * Gives ids to the calls, or to the results, of one content, in order: the same name gets the same ids on both sides. In a stream the id of the
 * reply takes part, so that calls of different replies differ.
 */
export class CallIds {
  readonly #reply: string | undefined;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(reply?: string) {
    this.#reply = reply;
  }

  next(name: string): string {
    const [inContent, inReply] = this.#both(name);
    return this.#reply === undefined ? inContent : inReply;
  }

  /** Whether the next id of this name would be `id`: then it says nothing. */
  isNext(name: string, id: string): boolean {
    return this.#both(name).includes(id);
  }

  #both(name: string): [string, string] {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return [`call_${name}_${count}`, replyCallId(this.#reply, this.#all++)];
  }
}

/** The id of the n-th call without one in a reply. */
export const replyCallId = (reply: string | undefined, n: number): string =>
  `call_${String(reply ?? '0')
    .replace(/[^A-Za-z0-9_-]/g, '')
    .slice(0, 40)}_${n}`;
