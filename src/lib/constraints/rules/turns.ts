// Who speaks first, last, and after whom.

import { isFamily } from '../../conversation/model-name.ts';
import { isSystem } from '../../conversation/roles.ts';
import type { FormatName, Message, Part } from '../../conversation/types.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import { filler } from '../adapt/fillers.ts';
import { wantsUserFirst } from '../adapt/turns.ts';
import { claudeTraits } from '../families/claude.ts';
import { gptTraits } from '../families/gpt.ts';
import { messageRule } from './build.ts';
import { isCall, isResult } from './calls.ts';
import type { Checked, Finding, Problem, Rule } from './types.ts';

/**
 * gemini: `Please ensure that multiturn requests … start with a user turn`. bedrock: `A conversation must start with a user message`, but not for
 * Claude and Qwen (recorded, and https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/bedrock.py). Anthropic's own
 * API takes an assistant first (recorded).
 */
const firstTurn: Rule = {
  name: 'first-turn',
  formats: demanding(({ userFirst, assistantAfterResults }) => userFirst ?? assistantAfterResults),
  check({ format, head, messages }) {
    const at = messages.findIndex((message) => !isSystem(message));
    const first = messages[at];
    if (first === undefined || first.role === 'user') return [];
    const { userFirst } = constraintsOf(format);
    if (!userFirst && first.role === 'assistant') return [];
    if (userFirst && userFirst.unless.length > 0 && head === undefined) return [];
    if (userFirst && !wantsUserFirst(format, head?.model)) return [];
    const what = `the conversation begins with the role "${first.role}"`;
    return [{ rule: 'first-turn', message: at, what, mend: 'begin with a user message' }];
  },
  repair(request) {
    const [finding] = firstTurn.check(request);
    const at = finding?.message;
    if (at === undefined || !constraintsOf(request.format).userFirst) return undefined;
    const messages = request.messages.toSpliced(at, 0, filler('user', '.'));
    return {
      request: { ...request, messages },
      did: [{ rule: 'first-turn', message: at, did: 'put a user message "." before it' }],
    };
  },
};

/** Where the API continues no words of the assistant; a model of Claude that takes none says `does not support assistant message prefill`. */
const lastTurn: Rule = {
  name: 'last-turn',
  formats: ['anthropic', 'mistral'],
  check({ format, head, messages }) {
    const last = messages.at(-1);
    // A reply that was appended is no beginning of one: the user's next message follows.
    if (last?.role !== 'assistant' || last.parts.some(isCall) || last.stop || last.by) return [];
    const about = { rule: 'last-turn', message: messages.length - 1, mend: 'end with a user message' };
    if (format === 'mistral') {
      const prefix = last.ext?.mistral?.prefix === true;
      return prefix || head === undefined
        ? []
        : [{ ...about, what: 'the last message is from the assistant and has no "prefix"' }];
    }
    const model = head?.model;
    if (claudeTraits(model)?.prefill === false)
      return [{ ...about, what: `${model} cannot continue assistant text (prefill)` }];
    const thinks = head?.reasoning?.mode === 'on';
    return thinks && !last.parts.some((part) => part.type === 'native')
      ? [{ ...about, what: 'a thinking model cannot continue assistant text (prefill)' }]
      : [];
  },
};

/** `final assistant content cannot end with trailing whitespace`: https://github.com/vercel/ai packages/anthropic. */
const trailingSpace = messageRule({
  name: 'trailing-space',
  formats: ['anthropic'],
  find({ role, parts }, { messages }, i) {
    const last = parts.at(-1);
    const ends = i === messages.length - 1 && role === 'assistant' && last?.type === 'text' && last.text.trim() !== '';
    return ends && last.text !== last.text.trimEnd() ? [TRAILING] : [];
  },
  mend(message) {
    const parts = message.parts.map(
      (part, i): Part =>
        part.type === 'text' && i === message.parts.length - 1 ? { ...part, text: part.text.trimEnd() } : part,
    );
    return { now: { ...message, parts }, did: 'removed the white space at the end' };
  },
});

const TRAILING: Problem = { what: 'the final assistant text ends with white space', mend: 'remove it' };

/** Whether the assistant has to speak between a result and the user. */
export const answersFirst = (format: FormatName, model: string | undefined): boolean =>
  constraintsOf(format).assistantAfterResults === true ||
  (constraintsOf(format).otherServers !== undefined && isFamily(model, 'mistral'));

/** `Unexpected role 'user' after role 'tool'`: https://github.com/mistralai/mistral-common/issues/169 */
const afterResult: Rule = {
  name: 'user-after-result',
  formats: demanding(({ assistantAfterResults, otherServers }) => assistantAfterResults ?? otherServers),
  check(request) {
    return afterResults(request).map((message) => ({
      rule: 'user-after-result',
      message,
      what: 'a user message directly follows a tool result',
      mend: 'put an assistant message in between',
    }));
  },
  repair(request) {
    const places = new Set(afterResults(request));
    if (places.size === 0) return undefined;
    const messages = request.messages.flatMap((message, i) =>
      places.has(i) ? [filler('assistant', 'OK'), message] : [message],
    );
    const did = [...places].map((message) => ({
      rule: 'user-after-result',
      message,
      did: 'put an assistant message "OK" before it',
    }));
    return { request: { ...request, messages }, did };
  },
};

function afterResults({ format, head, messages }: Checked): number[] {
  if (!answersFirst(format, head?.model)) return [];
  return messages.flatMap((message, i) => {
    const before = messages[i - 1];
    return message.role === 'user' && before?.parts.some(isResult) && !message.parts.some(isResult) ? [i] : [];
  });
}

/**
 * Where system messages may stand. anthropic: behind a turn of the user and before one of the assistant, or last; Claude Opus 4.8 and newer
 * alone. https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/models/anthropic.py
 */
const systemPlace: Rule = {
  name: 'system-place',
  formats: ['anthropic', 'openai'],
  check: ({ format, head, messages, inHead }) =>
    format === 'openai'
      ? refusedRoles(head?.model, messages)
      : misplaced(head?.model, messages, inHead ?? leading(messages)),
};

const leading = (messages: readonly Message[]): number => {
  const first = messages.findIndex((message) => !isSystem(message));
  return first < 0 ? messages.length : first;
};

function misplaced(model: string | undefined, messages: readonly Message[], inHead: number): Finding[] {
  const taken = claudeTraits(model)?.midSystem ?? true;
  return messages.flatMap((message, i): Finding[] => {
    if (i < inHead || !isSystem(message)) return [];
    const about = { rule: 'system-place', message: i };
    if (!taken)
      return [
        { ...about, what: `${model} does not support a system message between others`, mend: 'write it into "system"' },
      ];
    const before = messages.slice(Math.max(0, i - SEEN), i).findLast((other) => !isSystem(other));
    const after = messages.slice(i + 1, i + 1 + SEEN).find((other) => !isSystem(other));
    if (before === undefined)
      return [{ ...about, what: 'the first message is a system message', mend: 'write it into "system"' }];
    const placed = before.role !== 'assistant' && (after === undefined || after.role === 'assistant');
    return placed
      ? []
      : [
          {
            ...about,
            what: 'a system message is at a position where the API does not allow it',
            mend: 'put it after the user turn',
          },
        ];
  });
}

/** System messages in a row are few. */
const SEEN = 64;

/** `'messages[0].role' does not support 'system' with this model`, recorded for o1-mini. */
function refusedRoles(model: string | undefined, messages: readonly Message[]): Finding[] {
  if (gptTraits(model)?.instructions !== 'user') return [];
  return messages.flatMap((message, i): Finding[] =>
    isSystem(message)
      ? [
          {
            rule: 'system-place',
            message: i,
            what: `${model} does not support the role "${message.role}"`,
            mend: 'change it to a user message',
          },
        ]
      : [],
  );
}

/** A role that its parts do not fit: calls are the assistant's, results the user's or the tool's. */
const roles = messageRule({
  name: 'role',
  formats: ['anthropic', 'bedrock', 'gemini'],
  find({ role, parts }) {
    const found: Problem[] = [];
    if (role !== 'assistant' && parts.some(isCall))
      found.push({
        what: `a call is in a message of the role "${role}"`,
        mend: 'only assistant messages may contain calls',
      });
    if (role === 'assistant' && parts.some(isResult))
      found.push({ what: 'a result is in an assistant message', mend: 'only user messages may contain results' });
    if (role !== 'assistant' && parts.some((part) => part.type === 'reasoning'))
      found.push({
        what: `reasoning is in a message of the role "${role}"`,
        mend: 'only assistant messages may contain thoughts',
      });
    return found;
  },
});

export const turns: readonly Rule[] = [roles, firstTurn, lastTurn, trailingSpace, afterResult, systemPlace];
