// Gemma's template: no system role, and user and assistant in turn. `Conversation roles must alternate user/assistant/user/assistant/...`
// https://huggingface.co/google/gemma-2-9b-it/blob/main/tokenizer_config.json

import type { Lose, Message } from '../../conversation/types.ts';
import type { Adaptation, Read } from '../../conversion/adaptation.ts';
import { constraintsOf } from '../../dialects/table.ts';
import type { Adapter } from './types.ts';

export const gemma: Adapter = {
  families: ['gemma'],
  summary: 'instructions go into the next message of the user, messages of one role are joined',
  open: (_, to): Adaptation | undefined => (constraintsOf(to).chatTemplates ? new Alternating() : undefined),
};

/** Joins messages of one role; what has calls or results stays by itself. */
class Alternating implements Adaptation {
  #held: Read | undefined;

  head<T>(head: T): T {
    return head;
  }

  read(read: Read, lose: Lose): Read | readonly Read[] {
    const { role } = read.message;
    const system = role === 'system' || role === 'developer';
    if (system) lose(role, 'the model does not support system messages: written as a user message', 'changed');
    const now: Read = system ? { ...read, message: { ...read.message, role: 'user' } } : read;
    const held = this.#held;
    if (held && held.message.role === now.message.role && isTalk(held.message) && isTalk(now.message)) {
      if (!system) lose(`messages of the ${now.message.role}`, 'roles must alternate: joined', 'changed');
      const message = { ...held.message, parts: [...held.message.parts, ...now.message.parts] };
      this.#held = { ...held, message, recs: [...held.recs, ...now.recs] };
      return [];
    }
    this.#held = now;
    return held ? [held] : [];
  }

  end(): readonly Read[] {
    const held = this.#held;
    this.#held = undefined;
    return held ? [held] : [];
  }
}

const isTalk = ({ parts }: Message): boolean =>
  parts.every(({ type }) => type !== 'tool_call' && type !== 'tool_result');
