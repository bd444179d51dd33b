// What a call and its result know of each other, where a format does not write it down: the id, or the name in the result.

import { Recent } from '../../collections/lru-map.ts';
import { HAS, traitsOf } from '../../conversation/message-traits.ts';
import type { Form, FormatName, Message, Part, ToolCallPart, ToolResultPart } from '../../conversation/types.ts';

/** The spelling of a call or result that came without an id, beside that of its arguments or content. */
export const withoutId = (format: FormatName): Form => ({ [markOf(format)]: 'absent' });

/** Whether a call or result came without an id. */
export const lacksId = (part: ToolCallPart | ToolResultPart, format: FormatName): boolean =>
  part.form?.[markOf(format)] !== undefined;

const marks = new Map<FormatName, string>();

/** Made once: every call asks for it. */
function markOf(format: FormatName): string {
  const known = marks.get(format);
  if (known !== undefined) return known;
  const made = `${format}:id`;
  marks.set(format, made);
  return made;
}

/** The id of a call that has none, for programs that see one message at a time: its name tells what answers it. */
export const idByName = (name: string): string => `call_${name}`;

/** Follows the calls of one conversation, and adds to each message what only the others say. Holds no more than the open calls. */
export class Calls {
  /** Open calls by their ids. */
  readonly #open = new Recent<ToolCallPart>();
  /** Open calls that came without an id, and the ids that they got, by name. */
  readonly #unnumbered = new Map<string, string>();
  readonly #byName = new Map<string, Set<string>>();
  #count = 0;
  #base = 'call';

  /** The message with an id of its own for each call that has none, and in each result the name of the call. */
  follow(message: Message, format: FormatName): Message {
    if ((traitsOf(message) & OF_CALLS) === 0) {
      // What a person says ends the wait for results.
      if (message.role === 'user' && this.#unnumbered.size > 0) this.#forgetUnnumbered();
      return message;
    }
    let changed: Part[] | undefined;
    for (let i = 0; i < message.parts.length; i += 1) {
      const part = message.parts[i] as Part;
      const whole = this.#complete(part, format);
      if (whole === part) continue;
      changed ??= [...message.parts];
      changed[i] = whole;
    }
    return changed ? { ...message, parts: changed } : message;
  }

  /** The same for a whole reply: its own id makes those of its calls unlike those of other replies. */
  followReply(message: Message, format: FormatName): Message {
    const base = String(message.id ?? '').replace(/[^A-Za-z0-9_-]/g, '');
    this.#base = base === '' ? 'call' : `call_${base.slice(0, 40)}`;
    const followed = this.follow(message, format);
    this.#base = 'call';
    return followed;
  }

  #forgetUnnumbered(): void {
    this.#unnumbered.clear();
    this.#byName.clear();
  }

  #complete(part: Part, format: FormatName): Part {
    if (part.type === 'tool_call' && part.by === undefined) return this.#call(part, format);
    return part.type === 'tool_result' && part.by === undefined ? this.#result(part, format) : part;
  }

  #call(call: ToolCallPart, format: FormatName): ToolCallPart {
    if (!lacksId(call, format)) {
      this.#open.set(call.id, call);
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
    while (this.#open.has(`${this.#base}_${this.#count}`));
    return `${this.#base}_${this.#count}`;
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
    const call = this.#open.get(result.callId);
    if (call === undefined) return result;
    this.#open.delete(result.callId);
    if (result.name !== undefined && (!call.custom || result.custom)) return result;
    const name = result.name ?? call.name;
    return call.custom ? { ...result, name, custom: true } : { ...result, name };
  }
}

const OF_CALLS = HAS.calls | HAS.results;
