// Thoughts that go back to the model: signed, unmoved, and where they are required.

import { isFamily, modelName } from '../../conversation/model-name.ts';
import type { Part } from '../../conversation/types.ts';
import { neverMissing } from '../adapt/reasoning.ts';
import { messageRule } from './build.ts';
import { isCall, isResult } from './calls.ts';
import type { Finding, Problem, Rule } from './types.ts';

/** `messages.1.content.0.thinking.signature: Field required`: https://github.com/openai/openai-agents-python/issues/1704 */
const signed = messageRule({
  name: 'unsigned-thinking',
  formats: ['anthropic'],
  find: ({ parts }) => parts.filter(isUnsigned).map(() => UNSIGNED),
  mend(message) {
    const parts = message.parts.filter((part) => !isUnsigned(part));
    return {
      now: parts.length > 0 ? { ...message, parts } : undefined,
      did: 'removed a thought without a signature',
    };
  },
});

const isUnsigned = (part: Part): boolean =>
  part.type === 'reasoning' && part.redacted === undefined && (part.signature === undefined || part.signature === '');

const UNSIGNED: Problem = {
  what: 'a thought has no signature',
  mend: 'remove it: only the provider of the model can sign it',
};

/**
 * `When thinking is enabled, a final assistant message must start with a thinking block`, while its calls are answered. Adaptive thinking does not
 * ask for it. https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
const thinkingFirst: Rule = {
  name: 'thinking-first',
  formats: ['anthropic'],
  check({ head, messages }): Finding[] {
    if (head?.reasoning?.mode !== 'on') return [];
    const turn = messages.findLastIndex(({ role }) => role === 'assistant');
    const answers = messages.slice(turn + 1);
    if (turn < 0 || !answers.some(({ parts }) => parts.some(isResult))) return [];
    let first = turn;
    while (messages[first - 1]?.role === 'assistant') first -= 1;
    const parts = messages.slice(first, turn + 1).flatMap((message) => message.parts);
    if (!parts.some(isCall) || parts[0]?.type === 'reasoning' || parts[0]?.type === 'native') return [];
    const what = 'thinking is on, and the turn whose calls are answered does not begin with a thought';
    return [{ rule: 'thinking-first', message: first, what, mend: 'restore the thought, or switch thinking off' }];
  },
};

/** `Missing reasoning_content field in the assistant message`: https://github.com/continuedev/continue/issues/8989 */
const broughtBack = messageRule({
  name: 'reasoning-missing',
  formats: ['openai'],
  find: (message, { head }) => (bringsBack(head?.model) && neverMissing(message) !== message ? [MISSING] : []),
  mend: (message) => ({ now: neverMissing(message), did: 'added an empty reasoning_content' }),
});

const MISSING: Problem = { what: 'a turn with calls lacks reasoning_content', mend: 'send it back, or an empty one' };

function bringsBack(model: string | undefined): boolean {
  const id = modelName(model)?.id ?? '';
  if (isFamily(model, 'deepseek')) return /reasoner|v4/.test(id);
  return isFamily(model, 'kimi') && id.includes('thinking');
}

export const thinking: readonly Rule[] = [signed, thinkingFirst, broughtBack];
