// Which call a result answers. Some dialects have no ids, some name the tool in a result and some do not: here results learn it from their calls.
import type { Message, Part, ToolCallPart, ToolResultPart } from '../ir/types.ts';
import type { Format } from './types.ts';

/** More open calls than any real conversation has: beyond that the oldest are forgotten. */
const MOST = 10_000;

/** Follows one conversation, message by message. */
export class Pairing {
  readonly #open = new Map<string, ToolCallPart>();
  /** The ids of the open calls of each name, oldest first, in dialects that may have none of their own. */
  readonly #named = new Map<string, Set<string>>();
  #turn = 0;

  /** The message with an id on every call (`call_<turn>_<k>` where there was none), and on every result the id and the name of its call. */
  read(message: Message, from: Format): Message {
    for (const { type } of message.parts)
      if (type === 'tool_call' || type === 'tool_result') {
        if (message.role === 'assistant') this.#turn += 1;
        return this.#pair(message, from, `call_${this.#turn}`);
      }
    return message;
  }

  /** The same for a whole reply: its own id makes those of its calls unlike those of other replies. */
  readReply(message: Message, from: Format): Message {
    this.#turn += 1;
    const base = String(message.id ?? this.#turn)
      .replace(/[^A-Za-z0-9_-]/g, '')
      .slice(0, 40);
    return this.#pair(message, from, `call_${base}`);
  }

  #pair(message: Message, from: Format, base: string): Message {
    const { parts } = message;
    let changed: Part[] | undefined;
    let made = 0;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as Part;
      let now = part;
      if (part.type === 'tool_result') now = this.#answer(part, from);
      else if (part.type === 'tool_call') {
        if (from.lacksId?.(part)) now = { ...part, id: `${base}_${made++}` };
        this.#opened(now as ToolCallPart, from);
      }
      if (now === part) continue;
      changed ??= parts.slice();
      changed[i] = now;
    }
    return changed === undefined ? message : { ...message, parts: changed };
  }

  #opened(call: ToolCallPart, from: Format): void {
    if (call.id === '') return;
    if (from.lacksId) this.#name(call);
    this.#open.set(call.id, call);
    if (this.#open.size > MOST) this.#closed(this.#open.values().next().value);
  }

  #name(call: ToolCallPart): void {
    this.#closed(this.#open.get(call.id));
    const ids = this.#named.get(call.name) ?? new Set();
    this.#named.set(call.name, ids.add(call.id));
  }

  #closed(call: ToolCallPart | undefined): void {
    if (call === undefined) return;
    this.#open.delete(call.id);
    const ids = this.#named.get(call.name);
    ids?.delete(call.id);
    if (ids?.size === 0) this.#named.delete(call.name);
  }

  #answer(result: ToolResultPart, from: Format): Part {
    const first = from.lacksId?.(result)
      ? this.#named
          .get(result.name ?? '')
          ?.values()
          .next().value
      : result.callId;
    const call = first === undefined ? undefined : this.#open.get(first);
    if (call === undefined) return result;
    this.#closed(call);
    const { id, name, custom, by } = call;
    if (result.callId === id && result.name === name && !custom && result.by === by) return result;
    return { ...result, callId: id, name, ...(custom && { custom }), ...(by && { by }) };
  }
}
