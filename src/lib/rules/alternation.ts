// User and assistant take turns, where an API has been known to insist on it. https://github.com/langchain-ai/langchain-aws/issues/130
import type { FormatName, Message, Part } from '../ir/types.ts';
import { isResult } from './calls.ts';

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
