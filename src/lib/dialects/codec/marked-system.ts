// A system message where an API takes none: a message of the user with marks around it.
import type { Message, Part, TextPart } from '../../conversation/types.ts';

const [OPEN, CLOSE] = ['<system>\n', '\n</system>'];

/** A system message as one of the user; `asSystem` knows it again. */
export function asUser(message: Message): Message {
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
