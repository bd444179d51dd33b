// Turns that an API requires between others. They are marked with `_meta.filler`, and leave with the next conversion.

import type { Lose, Message, Part, Role } from '../../conversation/types.ts';
import type { Adaptation, Read } from '../../conversion/adaptation.ts';

const isResult = (part: Part): boolean => part.type === 'tool_result' && part.by !== 'provider';

/**
 * Mistral takes nothing of the user behind the results of tools: `Unexpected role 'user' after role 'tool'`,
 * https://github.com/mistralai/mistral-common/issues/169. The assistant says "OK" in between.
 */
export class BetweenResultAndUser implements Adaptation {
  #answered = false;

  head<T>(head: T): T {
    return head;
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    const { role, parts } = read.message;
    if (read.gone || (!this.#answered && !parts.some(isResult))) return read;
    const results = parts.filter(isResult);
    const rest = parts.filter((part) => !isResult(part));
    // Parts that only another API reads are not written.
    if (rest.length > 0 && rest.every(({ type }) => type === 'native')) {
      this.#answered ||= results.length > 0;
      return read;
    }
    const out: Read[] = [];
    if (results.length > 0) {
      out.push(rest.length === 0 ? read : { ...read, message: { ...read.message, role: 'tool', parts: results } });
      this.#answered = true;
    }
    if (results.length > 0 && rest.length === 0) return out;
    if (this.#answered && role !== 'assistant') {
      lose('assistant', 'the API requires an assistant turn between a result and the user: "OK"', 'added');
      out.push({ message: filler('assistant', 'OK'), from: read.from, recs: [] });
    }
    this.#answered = false;
    out.push(results.length === 0 ? read : { ...read, message: { ...read.message, role: 'user', parts: rest } });
    return out;
  }
}

/** A turn that says nothing. */
export const filler = (role: Role, text: string): Message => ({
  role,
  parts: [{ type: 'text', text }],
  meta: { filler: true },
});
