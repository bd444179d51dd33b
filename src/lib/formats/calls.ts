// What a call and its result know of each other, where a format does not write it down: the id, or the name in the result.
import type { Form, FormatName, Message, Part, ToolCallPart, ToolResultPart } from '../ir/types.ts';

/** The spelling of a call or result that came without an id, beside that of its arguments or content. */
export const withoutId = (format: FormatName): Form => ({ [`${format}:id`]: 'absent' });

/** Whether a call or result came without an id. */
export const lacksId = (part: ToolCallPart | ToolResultPart, format: FormatName): boolean =>
  part.form?.[`${format}:id`] !== undefined;

/** The id of a call that has none, for programs that see one message at a time: its name tells what answers it. */
export const idByName = (name: string): string => `call_${name}`;

/** Follows the calls of one conversation, and adds to each message what only the others say. Holds no more than the open calls. */
export class Calls {
  /** Open calls: the name of each id. */
  readonly #named = new Map<string, string>();
  /** Open calls that came without an id, and the ids that they got, by name. */
  readonly #unnumbered = new Map<string, string>();
  readonly #byName = new Map<string, Set<string>>();
  #count = 0;

  /** The message with an id of its own for each call that has none, and in each result the name of the call. */
  follow(message: Message, format: FormatName): Message {
    if (!message.parts.some(isOfCall)) return message;
    return { ...message, parts: message.parts.map((part) => this.#complete(part, format)) };
  }

  #complete(part: Part, format: FormatName): Part {
    if (part.type === 'tool_call' && part.by === undefined) return this.#call(part, format);
    return part.type === 'tool_result' && part.by === undefined ? this.#result(part, format) : part;
  }

  #call(call: ToolCallPart, format: FormatName): ToolCallPart {
    if (!lacksId(call, format)) {
      this.#named.set(call.id, call.name);
      return call;
    }
    const id = this.#newId();
    const alike = this.#byName.get(call.name) ?? new Set();
    this.#byName.set(call.name, alike.add(id));
    this.#unnumbered.set(id, call.name);
    return { ...call, id };
  }

  #newId(): string {
    do this.#count += 1;
    while (this.#named.has(`call_${this.#count}`));
    return `call_${this.#count}`;
  }

  /** A result without an id answers the first open call of its name; without a name too, the first of all. */
  #result(result: ToolResultPart, format: FormatName): ToolResultPart {
    if (!lacksId(result, format)) return this.#nameResult(result);
    const among = result.name === undefined ? this.#unnumbered.keys() : this.#byName.get(result.name)?.values();
    const callId = among?.next().value;
    if (callId === undefined) return result;
    const name = this.#unnumbered.get(callId) ?? '';
    this.#unnumbered.delete(callId);
    const alike = this.#byName.get(name);
    alike?.delete(callId);
    if (alike?.size === 0) this.#byName.delete(name);
    return { ...result, callId, name };
  }

  #nameResult(result: ToolResultPart): ToolResultPart {
    const name = this.#named.get(result.callId);
    this.#named.delete(result.callId);
    return name === undefined || result.name !== undefined ? result : { ...result, name };
  }
}

const isOfCall = (part: Part): boolean => part.type === 'tool_call' || part.type === 'tool_result';
