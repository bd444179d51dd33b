// Ids of calls that the API takes. The old ones are kept under `_meta.ids`, and come back with the conversation.
import type { Adaptation, Read } from '../formats/adapt.ts';
import { isObject } from '../ir/json.ts';
import type { FormatName, Lose, Message, Part, ToolCallPart, ToolResultPart } from '../ir/types.ts';
import { LIMITS, type Spelling } from './limits.ts';
import { Renames } from './renames.ts';

/** Every id as the API wants it. An id that comes again after it was answered gets another where ids must be unique. */
export function goodIds(to: FormatName): Adaptation {
  const spelling = LIMITS[to]?.ids;
  const state = new Ids(spelling ?? ANY, UNIQUE.has(to));
  return {
    head: (head) => head,
    read: (read, lose) => [state.read(read, to, lose)],
    end: () => [],
  };
}

const ANY: Spelling = { pattern: /^/, most: Number.POSITIVE_INFINITY, words: 'any characters' };

/** `tool_use ids must be unique`: https://github.com/BerriAI/litellm/issues/16525 */
const UNIQUE = new Set<FormatName>(['anthropic', 'bedrock']);

type WithId = ToolCallPart | ToolResultPart;

const hasId = (part: Part): part is WithId =>
  (part.type === 'tool_call' || part.type === 'tool_result') && part.by !== 'provider';

class Ids {
  readonly #renames: Renames;
  readonly #spelling: Spelling;
  readonly #unique: boolean;
  /** Ids of calls so far; true once they are answered. */
  readonly #answered = new Map<string, boolean>();
  /** Calls without an id wait for their results in order. */
  readonly #nameless: string[] = [];
  #count = 0;
  /** Old ids by the new ones that an earlier conversion gave. */
  readonly #old = new Map<string, string>();

  constructor(spelling: Spelling, unique: boolean) {
    this.#spelling = spelling;
    this.#unique = unique;
    this.#renames = new Renames(spelling);
  }

  read(read: Read, to: FormatName, lose: Lose): Read {
    const { message } = read;
    if (!message.parts.some(hasId)) return read;
    const before = read.from === to ? message : this.#restored(message);
    const given = new Map<string, string>();
    const parts = before.parts.map((part) => (hasId(part) ? this.#part(part, given, lose) : part));
    if (given.size === 0 && before === message) return read;
    const ids = isObject(before.meta?.ids) ? before.meta.ids : {};
    const meta = given.size === 0 ? before.meta : { ...before.meta, ids: { ...ids, ...Object.fromEntries(given) } };
    return { ...read, message: { ...before, parts, meta } };
  }

  /** The message with the ids that it had before it came here. Results follow their calls, which bring the old ids along. */
  #restored(message: Message): Message {
    const { ids, ...rest } = message.meta ?? {};
    if (isObject(ids))
      for (const [name, old] of Object.entries(ids)) if (typeof old === 'string') this.#old.set(name, old);
    if (this.#old.size === 0) return message;
    const old = (id: string): string => this.#old.get(id) ?? id;
    const parts = message.parts.map((part): Part => {
      if (!hasId(part)) return part;
      return part.type === 'tool_call' ? { ...part, id: old(part.id) } : { ...part, callId: old(part.callId) };
    });
    const meta = isObject(ids) ? (Object.keys(rest).length > 0 ? rest : undefined) : message.meta;
    return { ...message, parts, meta };
  }

  #part(part: WithId, given: Map<string, string>, lose: Lose): Part {
    const old = part.type === 'tool_call' ? part.id : part.callId;
    const name = part.type === 'tool_call' ? this.#call(old) : this.#result(old);
    if (name === old) return part;
    given.set(name, old);
    const why = old === '' ? 'a call needs one' : this.#why(old);
    lose('tool call id', why, 'renamed');
    return part.type === 'tool_call' ? { ...part, id: name } : { ...part, callId: name };
  }

  #why(old: string): string {
    const { most, words, pattern } = this.#spelling;
    if (!pattern.test(old)) return `it must be ${words} (the old one is in _meta.ids)`;
    if (old.length > most) return `it may have ${most} characters (the old one is in _meta.ids)`;
    return 'it must be unique (the old one is in _meta.ids)';
  }

  #call(old: string): string {
    if (old === '') {
      this.#count += 1;
      const name = this.#renames.of(`call_${this.#count}`);
      this.#nameless.push(name);
      return name;
    }
    const again = this.#unique && this.#answered.get(old) === true;
    this.#answered.set(old, false);
    return again ? this.#renames.again(old) : this.#renames.of(old);
  }

  #result(old: string): string {
    if (old === '') return this.#nameless.shift() ?? old;
    this.#answered.set(old, true);
    return this.#renames.of(old);
  }
}
