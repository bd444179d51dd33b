// System messages in the middle of a conversation, where Anthropic takes them: behind the user's turn, and never between a call and its result.
// https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py, the tests of
// https://github.com/BerriAI/litellm/pull/38053

import type { Lose, Part, Role } from '../../conversation/types.ts';
import { type Adaptation, gone, type Read } from '../../conversion/adaptation.ts';
import { asUser } from '../../dialects/codec/marked-system.ts';
import { claudeTraits } from '../families/claude.ts';

/** Each such message waits until the assistant speaks or the conversation ends; for a model that takes none it is the user's, and marked. */
export function systemPlaced(model: string | undefined): Adaptation {
  return new Placement(claudeTraits(model)?.midSystem ?? true);
}

class Placement implements Adaptation {
  readonly #taken: boolean;
  readonly #waiting: Read[] = [];
  #last: 'none' | 'user' | 'assistant' = 'none';
  /** Whether the move of what waits was said. */
  #said = false;

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
    if (system && parts.every(isBlank)) return gone(read);
    if (system) {
      this.#waiting.push(read);
      return [];
    }
    // A turn that says nothing is not written, and so nothing can stand behind it.
    if (parts.every(isBlank)) return read;
    const out = role === 'assistant' && this.#waiting.length > 0 ? this.#release(lose) : undefined;
    this.#sayMove(role, lose);
    this.#last = role === 'assistant' ? 'assistant' : 'user';
    return out ? [...out, read] : read;
  }

  #sayMove(role: Role, lose: Lose): void {
    const moves = role !== 'assistant' && this.#waiting.length > 0;
    if (moves && !this.#said) lose('system', 'moved after the following user turn', 'moved');
    this.#said = moves;
  }

  end(lose: Lose): readonly Read[] {
    return this.#release(lose);
  }

  #release(lose: Lose): Read[] {
    const placed = this.#canPlace;
    return this.#waiting.splice(0).map((read) => {
      return placed ? read : marked(read, lose);
    });
  }

  get #canPlace(): boolean {
    return this.#taken && this.#last === 'user';
  }
}

const isBlank = (part: Part): boolean => part.type === 'text' && !/\S/.test(part.text);

/** For an API that takes no system messages among the others: each is a marked one of the user, and never between calls and their results. */
export class SystemMarked implements Adaptation {
  readonly #waiting: Read[] = [];
  #last: 'none' | 'user' | 'assistant' = 'none';

  head<T>(head: T): T {
    return head;
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    const { role, parts } = read.message;
    if (read.gone) return read;
    if (role === 'system' || role === 'developer') {
      if (this.#last === 'none') return read;
      if (parts.every(isBlank)) return gone(read);
      if (this.#last === 'user') return marked(read, lose);
      this.#waiting.push(read);
      return [];
    }
    this.#last = role === 'assistant' ? 'assistant' : 'user';
    if (this.#waiting.length === 0) return read;
    return parts.some(({ type }) => type === 'tool_result') ? [read, ...this.end(lose)] : [...this.end(lose), read];
  }

  end(lose: Lose): readonly Read[] {
    return this.#waiting.splice(0).map((read) => marked(read, lose));
  }
}

function marked(read: Read, lose: Lose): Read {
  lose('system', 'it is not allowed here: written as a marked user message', 'changed');
  return { ...read, message: asUser(read.message) };
}
