// Parts that are told whole, as the pieces that other dialects tell them in.
import type { Delta } from '../../conversation/delta.ts';

/** The same in pieces that every writer knows: a call, a text or reasoning that came whole. Another part stays as it is. */
export function inPieces(delta: Delta): Delta {
  const { part, index } = delta;
  if (part === undefined) return delta;
  const at = { type: 'delta', index } as const;
  if (part.type === 'text') return { ...at, text: part.text };
  if (part.type === 'refusal') return { ...at, refusal: part.text };
  if (part.type === 'reasoning') return part.text === undefined ? delta : { ...at, reasoning: part.text };
  if (part.type !== 'tool_call' || part.by === 'provider') return delta;
  const called = { ...at, id: part.id, name: part.name };
  if (part.custom) return { ...called, input: part.text ?? '' };
  return { ...called, arguments: part.input === undefined ? (part.text ?? '') : JSON.stringify(part.input) };
}
