// Reasoning that goes back to the model in a field of the message: which field, and where it may not be missing.
import type { Message, Part, ReasoningPart } from '../../conversation/types.ts';

/** Fields of Chat messages that servers read reasoning from. */
type ReasoningField = 'reasoning_content' | 'reasoning';

/** The message with its readable reasoning under one field. Ciphertext stays as it is. */
export function inField(message: Message, field: ReasoningField): Message {
  if (message.role !== 'assistant' || !message.parts.some((part) => isElsewhere(part, field))) return message;
  return { ...message, parts: message.parts.map((part) => (isElsewhere(part, field) ? spelled(part, field) : part)) };
}

const spelled = (part: ReasoningPart, field: ReasoningField): Part => ({
  ...part,
  form: { ...part.form, openai: field },
});

const isElsewhere = (part: Part, field: ReasoningField): part is ReasoningPart =>
  part.type === 'reasoning' && part.text !== undefined && part.form?.openai !== field;

/** A turn that calls tools gets an empty reasoning if it has none: the server refuses the field's absence, not its emptiness. */
export function neverMissing(message: Message): Message {
  const calls = message.role === 'assistant' && message.parts.some(({ type }) => type === 'tool_call');
  if (!calls || message.parts.some((part) => part.type === 'reasoning' && part.text !== undefined)) return message;
  return { ...message, parts: [spelled({ type: 'reasoning', text: '' }, 'reasoning_content'), ...message.parts] };
}

/** The message with its reasoning as text between tags, before what it says. */
export function inTags(message: Message, [open, close]: readonly [string, string]): Message {
  const thoughts = message.parts.filter((part): part is ReasoningPart => part.type === 'reasoning');
  const text = thoughts.map((part) => part.text ?? '').join('\n');
  if (message.role !== 'assistant' || text === '') return message;
  const rest = message.parts.filter(({ type }) => type !== 'reasoning');
  const at = rest.findIndex(({ type }) => type === 'text');
  const said = at < 0 ? undefined : rest[at];
  const tagged = `${open}${text}${close}\n\n`;
  if (said?.type !== 'text') return { ...message, parts: [{ type: 'text', text: tagged.trimEnd() }, ...rest] };
  return { ...message, parts: rest.with(at, { ...said, text: `${tagged}${said.text}` }) };
}
