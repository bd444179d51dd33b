// User and assistant take turns, where an API insists on it.
import type { FormatName, Message, Part } from '../ir/types.ts';
import { quoted } from './build.ts';
import { isResult } from './calls.ts';
import type { Finding, Mended, Rule } from './types.ts';

const STRICT: readonly FormatName[] = ['bedrock'];

/** Whether an API takes no two messages of one side in a row. */
export const mustAlternate = (format: FormatName): boolean => STRICT.includes(format);

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/** Whether a message goes on with the turn of the one before it. Results are the user's. */
export const goesOn = (before: Message | undefined, message: Message): boolean =>
  before !== undefined &&
  !isSystem(before) &&
  !isSystem(message) &&
  (before.role === 'assistant') === (message.role === 'assistant');

/** Messages of one side as one, its results first. */
export function joined(messages: readonly Message[]): Message {
  const first = messages[0] as Message;
  const parts = messages.flatMap((message) => message.parts);
  const isFirst = (part: Part): boolean => first.role !== 'assistant' && isResult(part);
  const role = first.role === 'tool' ? 'user' : first.role;
  const fields = messages.toReversed().flatMap(({ meta }) => Object.entries(meta ?? {}));
  const arranged = [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))];
  return { ...first, role, parts: arranged, ...(fields.length > 0 && { meta: Object.fromEntries(fields) }) };
}

/** `A conversation must alternate between user and assistant roles`: https://github.com/langchain-ai/langchain-aws/issues/130 */
export const alternation: Rule = {
  name: 'alternation',
  formats: STRICT,
  check: ({ messages }) =>
    messages.flatMap((message, i): Finding[] =>
      goesOn(messages[i - 1], message)
        ? [
            {
              rule: 'alternation',
              message: i,
              what: `two messages of the role ${quoted(message.role)} follow each other`,
              mend: 'make one of them',
            },
          ]
        : [],
    ),
  repair(request) {
    const groups: Message[][] = [];
    const did: Mended[] = [];
    request.messages.forEach((message, i) => {
      if (goesOn(request.messages[i - 1], message)) {
        groups.at(-1)?.push(message);
        did.push({ rule: 'alternation', message: i, did: 'made one message of it and the one before' });
      } else groups.push([message]);
    });
    if (did.length === 0) return undefined;
    const messages = groups.map((group) => (group.length === 1 ? (group[0] as Message) : joined(group)));
    return { request: { ...request, messages }, did };
  },
};
