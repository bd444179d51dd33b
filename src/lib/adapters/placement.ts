// System messages in the middle of a conversation, where Anthropic takes them: behind the user's turn, and never between a call and its result.
// https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py, the tests of
// https://github.com/BerriAI/litellm/pull/38053
import type { Adaptation, Read } from '../formats/adapt.ts';
import type { Lose, Message, Part, TextPart } from '../ir/types.ts';
import { claudeTraits } from './claude.ts';

/** Each such message waits until the assistant speaks or the conversation ends; for a model that takes none it is the user's, and marked. */
export function systemPlaced(model: string | undefined): Adaptation {
  return new Placement(claudeTraits(model)?.midSystem ?? true);
}

class Placement implements Adaptation {
  readonly #taken: boolean;
  readonly #waiting: Read[] = [];
  #last: 'none' | 'user' | 'assistant' = 'none';

  constructor(taken: boolean) {
    this.#taken = taken;
  }

  head<T>(head: T): T {
    return head;
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    const { role, parts } = read.message;
    const system = role === 'system' || role === 'developer';
    if (system && this.#last === 'none') return read;
    if (system && parts.every(isBlank)) return [];
    if (system) {
      this.#waiting.push(read);
      return [];
    }
    // A turn that says nothing is not written, and so nothing can stand behind it.
    if (parts.every(isBlank)) return read;
    const out = role === 'assistant' && this.#waiting.length > 0 ? this.#release(lose) : undefined;
    if (role !== 'assistant' && this.#waiting.length > 0 && this.#last === 'assistant')
      lose('system', 'it stands behind the turn of the user that follows it', 'moved');
    this.#last = role === 'assistant' ? 'assistant' : 'user';
    return out ? [...out, read] : read;
  }

  end(lose: Lose): readonly Read[] {
    return this.#release(lose);
  }

  #release(lose: Lose): Read[] {
    const placed = this.#taken && this.#last === 'user';
    return this.#waiting.splice(0).map((read) => {
      if (placed) return read;
      lose('system', 'it cannot stand here: written as a marked message of the user', 'changed');
      return { ...read, message: asUser(read.message) };
    });
  }
}

const isBlank = (part: Part): boolean => part.type === 'text' && !/\S/.test(part.text);

const [OPEN, CLOSE] = ['<system>\n', '\n</system>'];

/** A system message as one of the user; `asSystem` knows it again. */
function asUser(message: Message): Message {
  const parts = message.parts.map(
    (part): Part => (part.type === 'text' ? { ...part, text: `${OPEN}${part.text}${CLOSE}` } : part),
  );
  return { ...message, role: 'user', parts, meta: { ...message.meta, role: message.role } };
}

/** What was a system message before it came here is one again, behind what the user's message says besides. */
export function asSystem(message: Message): readonly Message[] {
  const { role, ...meta } = message.meta ?? {};
  if (message.role === 'assistant' || (role !== 'system' && role !== 'developer')) return [message];
  const marked = message.parts.filter(isMarked);
  if (marked.length === 0) return [message];
  const rest = message.parts.filter((part) => !isMarked(part));
  const plain = { ...message, meta: Object.keys(meta).length > 0 ? meta : undefined };
  const system: Message = { role, parts: marked.map(unmarked) };
  return rest.length === 0 ? [{ ...plain, ...system }] : [{ ...plain, parts: rest }, system];
}

const isMarked = (part: Part): part is TextPart =>
  part.type === 'text' && part.text.startsWith(OPEN) && part.text.endsWith(CLOSE);

const unmarked = (part: TextPart): Part => ({ ...part, text: part.text.slice(OPEN.length, -CLOSE.length) });
