// Pieces to parts: fold(deltas(stream)) is the message that the stream spelled out.

import type { Delta } from '../src/lib/conversation/delta.ts';
import { parseArguments } from '../src/lib/conversation/parse-arguments.ts';
import type { Part } from '../src/lib/conversation/types.ts';

interface Growing {
  text?: string[];
  reasoning?: string[];
  refusal?: string[];
  signature?: string;
  id?: string;
  name?: string;
  arguments?: string[];
  input?: string[];
  citations?: Delta['citation'][];
  part?: Part;
}

/** The parts in the order of their indexes. Collects pieces and joins them once, so that a long reply costs linear time. */
export function fold(deltas: Iterable<Delta>): Part[] {
  const parts = new Map<number, Growing>();
  for (const delta of deltas) {
    const growing = parts.get(delta.index) ?? {};
    parts.set(delta.index, growing);
    grow(growing, delta);
  }
  return [...parts.entries()].sort(([a], [b]) => a - b).map(([, growing]) => finish(growing));
}

function grow(growing: Growing, delta: Delta): void {
  for (const key of ['text', 'reasoning', 'refusal', 'arguments', 'input'] as const) {
    const piece = delta[key];
    if (piece === undefined) continue;
    growing[key] ??= [];
    growing[key].push(piece);
  }
  if (delta.signature !== undefined) growing.signature = (growing.signature ?? '') + delta.signature;
  growing.id ??= delta.id;
  growing.name ??= delta.name;
  if (delta.citation) growing.citations = [...(growing.citations ?? []), delta.citation];
  growing.part ??= delta.part;
}

function finish(growing: Growing): Part {
  const { part, text, reasoning, refusal, signature, id, name } = growing;
  if (part !== undefined) return part;
  if (name !== undefined || id !== undefined) return finishCall(growing);
  if (reasoning !== undefined || signature !== undefined)
    return { type: 'reasoning', text: reasoning?.join('') ?? '', ...(signature !== undefined && { signature }) };
  if (refusal !== undefined) return { type: 'refusal', text: refusal.join('') };
  const citations = growing.citations?.filter((citation) => citation !== undefined);
  return { type: 'text', text: text?.join('') ?? '', ...(citations && { citations }) };
}

function finishCall(growing: Growing): Part {
  const call = { type: 'tool_call', id: growing.id ?? '', name: growing.name ?? '' } as const;
  if (growing.input !== undefined) return { ...call, custom: true, text: growing.input.join('') };
  return { ...call, ...parseArguments(growing.arguments?.join('') ?? '') };
}
