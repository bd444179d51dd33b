// A whole message as the pieces that a stream would have brought: for answers that come at once where pieces are wanted.
import type { Delta } from '../../lib/conversation/delta.ts';
import type { Message, Part } from '../../lib/conversation/types.ts';

/** Folding these gives the message's parts again. */
export const deltasOf = ({ parts }: Message): Delta[] => parts.map((part, index) => pieceOf(part, index));

function pieceOf(part: Part, index: number): Delta {
  const at = { type: 'delta', index } as const;
  if (part.type === 'text' && part.citations === undefined) return { ...at, text: part.text };
  if (part.type === 'refusal') return { ...at, refusal: part.text };
  if (part.type === 'reasoning' && part.redacted === undefined)
    return { ...at, reasoning: part.text ?? '', ...(part.signature !== undefined && { signature: part.signature }) };
  if (part.type === 'tool_call' && part.by === undefined) {
    const { id, name, input, text, custom } = part;
    if (custom) return { ...at, id, name, input: text ?? '' };
    return { ...at, id, name, arguments: text ?? JSON.stringify(input ?? {}) };
  }
  return { ...at, part };
}
