// What there is in a message, as bits. Most adaptations look for one thing, and need not see a message without it.
import type { Message, Part } from './types.ts';

/** `any` is a trait of every message; `others` are parts that are neither texts nor calls and results, also in a result. */
export const HAS = { any: 1, calls: 2, results: 4, others: 8, ext: 16, meta: 32 } as const;

/** The traits of a message. */
export function traitsOf({ parts, ext, meta }: Message): number {
  let traits: number = HAS.any;
  if (ext !== undefined) traits |= HAS.ext;
  if (meta !== undefined) traits |= HAS.meta;
  for (let i = 0; i < parts.length; i += 1) traits |= traitOf(parts[i] as Part);
  return traits;
}

function traitOf(part: Part): number {
  if (part.type === 'text') return 0;
  if (part.type === 'tool_call') return HAS.calls;
  if (part.type !== 'tool_result') return HAS.others;
  const { parts } = part;
  for (let i = 0; i < parts.length; i += 1) if (parts[i]?.type !== 'text') return HAS.results | HAS.others;
  return HAS.results;
}
